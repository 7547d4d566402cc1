import { spawnSync } from 'node:child_process';

/** What `npm test` runs, in this order; the first that fails ends it. */
const steps = ['lint', 'types', 'test:unit', 'test:e2e'];

for (const step of steps) {
  console.log(`\n== npm run ${step}`);
  const result = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) {
    console.error(`npm run ${step} failed.`);
    process.exit(result.status ?? 1);
  }
}

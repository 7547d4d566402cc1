// A process that takes a root, says so on its standard output, and gives it back when its standard input ends.
import { createRootOwner } from '../../src/files/index.ts';

const owner = createRootOwner({ root: process.argv[2] ?? '' });
try {
  if (process.argv[3] === 'ensure') await owner.ensure();
  else if (!(await owner.acquire())) throw new Error('no root');
  process.stdout.write('owner\n');
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await owner.dispose();
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

/** Fills the disk that its argument names, makes changes on it, makes space, and makes them again. Answers as JSON. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openContextStore } from '../../src/context/index.ts';
import { Failure } from '../../src/contract/errors.ts';

const root = process.argv[2] ?? '';
const projectId = 'p1';
const folder = join(root, 'projects', projectId);
const file = '1700000000-alpha.md';
const stored = {
  version: 2,
  notes: [{ id: 'n1', body: 'alpha', createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000, source: 'manual' }],
  todos: [],
  plans: [{ id: 'p1', file, title: 'Alpha', createdAt: 1_700_000_000_000 }],
};

await mkdir(join(folder, 'plans'), { recursive: true });
await writeFile(join(folder, 'context.json'), JSON.stringify(stored));
await writeFile(join(folder, 'plans', file), '# Alpha\n\nbody\n');
const store = openContextStore({
  root,
  isKnownProject: () => true,
  onEvent: () => undefined,
  report: (where, error) => console.error(where, error),
});
await store.context.get({ projectId });
const filler = join(root, 'filler');
await fill();

const changes = [
  () => store.notes.create({ projectId, body: 'new' }),
  () => store.plans.update({ projectId, planId: 'p1', raw: `# Alpha\n\n${'x'.repeat(20_000)}\n` }),
  () => store.plans.create({ projectId, title: 'New', body: 'b' }),
];
const refused = [];
for (const change of changes) {
  const failure = await change().then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof Failure) {
    refused.push({ code: failure.code, reason: failure.detail?.reason, message: failure.message });
  }
}
const whileFull = await look();
await rm(filler);
for (const change of changes) await change();
const after = { ...(await look()), plans: (await store.context.get({ projectId })).plans.length };
await store.dispose();
console.log(JSON.stringify({ refused, whileFull, after }));

/** Writes until the disk takes no more. */
async function fill(): Promise<void> {
  for (let size = 64 * 1024; size > 0; size = Math.floor(size / 2)) {
    for (;;) {
      const full = await writeFile(filler, Buffer.alloc(size, 1), { flag: 'a' }).then(
        () => false,
        () => true,
      );
      if (full) break;
    }
  }
}

/** What is on the disk, read by nobody's rules but JSON's. */
async function look() {
  const context = JSON.parse(await readFile(join(folder, 'context.json'), 'utf8')) as typeof stored;
  const names = await readdir(root, { recursive: true });
  return {
    notes: context.notes.map(({ body }) => body),
    plan: await readFile(join(folder, 'plans', file), 'utf8'),
    leftovers: names.filter((name) => name.endsWith('.tmp')),
  };
}

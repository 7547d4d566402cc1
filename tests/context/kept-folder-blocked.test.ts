import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { failure, p1, setUpSmall, small } from './support.ts';

/** What may stand where the program keeps what is no longer current. */
const obstacles = {
  file: (path: string) => writeFile(path, 'not a folder'),
  link: async (path: string, elsewhere: string) => {
    await mkdir(elsewhere);
    await symlink(elsewhere, path);
  },
};

for (const [name, make] of Object.entries(obstacles)) {
  test(`with a ${name} in the place of the kept things all is shown and saved, and nothing is deleted`, async () => {
    const setup = await setUpSmall();
    const { store } = setup;
    await make(setup.path('projects', 'p1', '.sidekeep'), setup.path('elsewhere'));
    expect(await store.context.get(p1)).toMatchObject({ notes: [{ id: 'n1' }], todos: [{}, {}], plans: [{}] });
    await store.notes.create({ ...p1, body: 'made here' });
    await store.plans.update({ ...p1, planId: 'p1', raw: '# Alpha\n\nwritten here\n' });
    for (const refuse of [
      () => store.notes.delete({ ...p1, noteId: 'n1' }),
      () => store.todos.clearCompleted(p1),
      () => store.plans.delete({ ...p1, planId: 'p1' }),
    ]) {
      const { message } = await failure(refuse(), 'io');
      expect(message).toMatch(/\.sidekeep/);
      expect(message).not.toContain(setup.root);
    }
    const after = await store.context.get(p1);
    expect(after.notes.map(({ body }) => body)).toEqual(['made here', 'alpha']);
    expect([after.todos.length, after.plans.length]).toEqual([small.todos.length, 1]);
    if (name === 'link') expect(await readdir(setup.path('elsewhere'))).toEqual([]);
    setup.reports.splice(0);
  });
}

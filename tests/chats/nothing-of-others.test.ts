import { randomUUID } from 'node:crypto';
import { symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Drafts } from '../../src/chats/drafts.ts';
import { FolderUsers } from '../../src/chats/folder-users.ts';
import { sweepChatFolders } from '../../src/chats/sweep.ts';
import type { SessionRef, TrashedRef } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import { chatsWithTrash, read, write } from './support.ts';

const days = ['2026-01-01', '2026-01-02', 'plans', '2026-1-1', '.'];
const names = ['session-a', 'session-b', 'Session-a', 'notes', 'session-a/deep', '..', ''];
const place = fc.tuple(fc.constantFrom(...days), fc.constantFrom(...names)).map(([day, name]) => `${day}/${name}`);
/** What is at a place; the last is a link to a folder with files elsewhere. */
const content = fc.constantFrom('empty', 'file', 'deep', 'empty inside', 'is a file', 'link');
const tree = fc.array(fc.record({ place, content, isOld: fc.boolean() }), { maxLength: 8 });
/** Sessions by what they name: a place, below the root as it is or by another way. */
const sessions = fc.array(fc.record({ place, way: fc.constantFrom('root', 'linked', 'dots', 'nothing') }), {
  maxLength: 4,
});
const call = fc.oneof(
  fc.record({ kind: fc.constant('sweep' as const) }),
  fc.record({
    kind: fc.constantFrom('prepare' as const, 'discard' as const, 'start' as const, 'fail' as const),
    draft: fc.constantFrom('d', 'e'),
  }),
  fc.record({
    kind: fc.constant('delete' as const),
    index: fc.nat(5),
    folder: fc.constantFrom('keep' as const, 'trash' as const, undefined),
  }),
  fc.record({ kind: fc.constantFrom('restore' as const, 'purge' as const), index: fc.nat(5) }),
  fc.record({ kind: fc.constant('reconcile' as const) }),
);
const calls = fc.array(call, { maxLength: 12 });

/** Files of a tree, links among them, by their path. */
const filesOf = (found: Record<string, string>): Map<string, string> =>
  new Map(Object.entries(found).filter(([path]) => !path.endsWith('/')));

test('whatever is asked for in whatever order, only what is in the own folder of a deleted chat ever goes away', async () => {
  await fc.assert(
    fc.asyncProperty(tree, sessions, calls, async (folders, named, asked) => {
      const kit = await chatsWithTrash();
      const { base, root, own, session, open, advance } = kit;
      await write(base, {
        'outside/keep': 'KEEP',
        'outside/session-a/keep': 'KEEP',
        'chats/context.json': '{}',
        'chats/plans/a.md': 'plan',
      });
      await symlink(root, join(base, 'linked'));
      for (const { place: at, content: what, isOld } of folders) await plant(base, root, at, what, isOld);
      const refs: SessionRef[] = [];
      for (const [index, { place: at, way }] of named.entries()) {
        const directory = {
          root: join(root, at),
          linked: join(base, 'linked', at),
          dots: `${root}/x/../${at}`,
          nothing: null,
        }[way];
        refs.push(await session(`s${index}`, directory));
      }
      const users = new FolderUsers({ folders: kit.folders, named: kit.named, chatsId: async () => 'path_chats' });
      const drafts = new Drafts(kit.folders, users);
      const elsewhere = await read(join(base, 'outside'));
      const trash = open();
      const trashed: TrashedRef[] = [];
      for (const one of asked) {
        const before = filesOf(await read(root));
        /** The one place below which something may go or come now. */
        let mine: string | null = null;
        await run();
        const after = filesOf(await read(root));
        for (const [path, text] of before) {
          if (mine !== null && (path === mine || path.startsWith(`${mine}/`))) continue;
          // An old link of our shape that nobody uses is swept as such.
          if (one.kind === 'sweep' && text.startsWith('-> ')) continue;
          expect(after.get(path), `${JSON.stringify(one)}: ${path}`).toBe(text);
        }

        async function run(): Promise<void> {
          try {
            if (one.kind === 'sweep') {
              const report = (where: string, error: unknown): void => expect.unreachable(`${where}: ${error}`);
              await sweepChatFolders({ folders: kit.folders, users, now: Date.now, report });
            } else if (one.kind === 'prepare') await drafts.prepare(one.draft);
            else if (one.kind === 'discard') await drafts.discard(one.draft);
            else if (one.kind === 'start' || one.kind === 'fail') {
              const { folder, settle } = await drafts.placeFor(one.draft);
              const directory = kit.folders.pathOf(folder);
              await settle(one.kind === 'fail' ? null : { session: await session(randomUUID(), directory), directory });
            } else if (one.kind === 'delete') {
              const ref = refs[one.index];
              if (ref === undefined) return;
              const directory =
                (await kit.named()).named.find(({ session: other }) => other.id === ref.id)?.directory ?? null;
              const state = await own.stateOf(directory, ref);
              if (state.folder !== null && state.stays === null && (one.folder === 'trash' || state.files === 0))
                mine = state.folder;
              const deleted = await trash.deleteWith(ref, { folder: one.folder });
              if (deleted.trashed !== null) trashed.push(deleted.trashed);
            } else if (one.kind === 'reconcile') {
              advance(40 * 24 * 60 * 60 * 1000);
              await trash.reconcile();
            } else if (one.kind === 'restore' || one.kind === 'purge') {
              const item = trashed[one.index];
              if (item === undefined) return;
              await (one.kind === 'restore' ? trash.restore(item) : trash.purge([item]));
            }
          } catch (error) {
            // Refused, which is an answer.
            if (!(error instanceof Failure)) throw error;
          }
        }
      }
      expect(await read(join(base, 'outside'))).toEqual(elsewhere);
      await trash.dispose();
    }),
    { numRuns: 120 },
  );
}, 120_000);

async function plant(base: string, root: string, at: string, what: string, isOld: boolean): Promise<void> {
  const path = join(root, at);
  const name = path.slice(root.length + 1);
  if (name === '' || !path.startsWith(`${root}/`)) return;
  try {
    if (what === 'link') {
      await write(root, { [join(name, '..')]: null });
      await symlink(join(base, 'outside'), path);
    } else {
      const made = {
        empty: { [name]: null },
        file: { [`${name}/a`]: 'A' },
        deep: { [`${name}/b/c`]: 'C' },
        'empty inside': { [`${name}/d`]: null },
      };
      await write(root, what === 'is a file' ? { [name]: 'F' } : (made[what as keyof typeof made] ?? {}));
    }
  } catch (error) {
    // Something else has the place already.
    if (!(error instanceof Error && 'code' in error)) throw error;
    return;
  }
  const time = new Date(Date.now() - (isOld ? 48 : 1) * 60 * 60 * 1000);
  if (what !== 'link') await utimes(path, time, time);
}

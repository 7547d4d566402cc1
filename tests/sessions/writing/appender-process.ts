import { nodeFileSystem } from '../../../src/files/index.ts';
import { SessionStores } from '../../../src/sessions/session-stores.ts';
import { SessionWriters } from '../../../src/sessions/writing/writers.ts';

// Records messages as fast as it can, some of them at once, and says which were acknowledged, until it is killed.
const [root = '', id = '', run = ''] = process.argv.slice(2);
const writers = new SessionWriters({
  fileSystem: nodeFileSystem,
  stores: new SessionStores(nodeFileSystem, root),
  findHolder: async () => null,
  storedMessages: () => (async function* () {})(),
  sleep: () => Promise.resolve(),
  checkpointDelay: 10,
  report: (where, error) => console.error(where, error),
});
const session = { store: 'global', id } as const;
const record = async (message: string): Promise<void> => {
  const content = `${message} ${'x'.repeat(Number(message.length) * 50)}`;
  await writers.append(session, [{ role: 'user', id: message, content, origin: 'user', createdAt: Date.now() }]);
  process.stdout.write(`${message}\n`);
};
for (let round = 0; ; round++) {
  await Promise.all(Array.from({ length: 1 + (round % 4) }, (_value, index) => record(`${run}-${round}-${index}`)));
}

import { expect, test } from '../test.ts';

// What the development host cannot stand in for. Run by the project electron-only, where Electron's executable is there.

test('the global shortcut is registered with the system', async ({ launch }) => {
  const { electronApplication } = await launch();
  const registered = await electronApplication.evaluate(({ globalShortcut }) =>
    globalShortcut.isRegistered('CommandOrControl+Shift+Space'),
  );
  expect(registered).toBe(true);
});

test('the application menu is the one of the system, with the keys of its entries', async ({ launch }) => {
  const { electronApplication } = await launch();
  const labels = await electronApplication.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()?.items.flatMap(
      (item) => item.submenu?.items.map((entry) => entry.accelerator ?? '') ?? [],
    ),
  );
  expect(labels).toContain('CmdOrCtrl+Q');
});

test('pages run at the origin of the scheme itself', async ({ launch }) => {
  const { sidebar, miniChat } = await launch();
  for (const page of [sidebar, miniChat]) expect(await page.evaluate(() => location.origin)).toBe('app://sidekeep');
});

test('renderers run in the sandbox of the system', async ({ launch }) => {
  const { electronApplication } = await launch();
  const sandboxed = await electronApplication.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .filter((process) => process.type === 'Tab')
      .map((process) => process.sandboxed),
  );
  expect(sandboxed.every((value) => value !== false)).toBe(true);
});

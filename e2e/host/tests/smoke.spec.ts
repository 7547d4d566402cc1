import { expect, test } from '@playwright/test';
import { launch } from './launch.ts';

test('two windows, preload, ipc, app scheme', async () => {
  const { app, window, close } = await launch();
  const main = await window('Main');
  await window('Second');
  expect(await main.evaluate(() => (globalThis as never as { early: object }).early)).toEqual({
    require: 'undefined',
    process: 'undefined',
    ipcRenderer: 'undefined',
    sample: 'object',
  });
  console.log(
    await main.evaluate(() =>
      (
        globalThis as never as { sample: { sender(): Promise<object>; argv: string[]; attempts: object } }
      ).sample.sender(),
    ),
  );
  console.log(
    await main.evaluate(() => (globalThis as never as { sample: { argv: string[]; attempts: object } }).sample),
  );
  console.log(
    await app.evaluate(({ BrowserWindow, app }) => [
      BrowserWindow.getAllWindows().map((w) => [w.getTitle(), w.webContents.getURL()]),
      app.getVersion(),
      app.getName(),
      process.argv,
      (globalThis as never as { sample: object }).sample,
    ]),
  );
  await close();
});

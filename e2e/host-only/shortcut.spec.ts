import { callBridge } from '../bridge.ts';
import type { RunningApp } from '../launch-app.ts';
import { expect, test } from '../test.ts';

// The system-wide shortcut, pressed through the development host's own controls.

interface HostControls {
  pressShortcut(accelerator: string): boolean;
  takeShortcut(accelerator: string): void;
}

const shortcut = 'CommandOrControl+Shift+Space';

const press = (app: RunningApp, accelerator: string): Promise<boolean> =>
  app.electronApplication.evaluate(
    (electron, keys) => (electron as unknown as { __host: HostControls }).__host.pressShortcut(keys),
    accelerator,
  );

const miniChatIsVisible = (app: RunningApp): Promise<boolean | undefined> =>
  app.electronApplication.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('mini-chat'))
      ?.isVisible(),
  );

test('the shortcut shows the Mini Chat with the keyboard in its composer, and hides it again', async ({ launch }) => {
  const app = await launch();
  await expect.poll(() => miniChatIsVisible(app)).toBe(true);
  await callBridge(app.sidebar, 'windows.hideMiniChat', {});
  await expect.poll(() => miniChatIsVisible(app)).toBe(false);
  expect(await press(app, shortcut)).toBe(true);
  await expect.poll(() => miniChatIsVisible(app)).toBe(true);
  await expect(app.miniChat.getByRole('textbox').last()).toBeFocused();
  await press(app, shortcut);
  await expect.poll(() => miniChatIsVisible(app)).toBe(false);
});

test('a shortcut that another program has is refused with a message, and a free one works', async ({ launch }) => {
  const app = await launch();
  await app.electronApplication.evaluate((electron) =>
    (electron as unknown as { __host: HostControls }).__host.takeShortcut('Alt+Space'),
  );
  const choose = async (accelerator: string): Promise<void> => {
    await app.sidebar.getByRole('button', { name: 'Shortcut of the Mini Chat' }).click();
    const dialog = app.sidebar.getByRole('dialog');
    await dialog.getByRole('textbox').fill(accelerator);
    await dialog.getByRole('button', { name: 'Save' }).click();
  };
  await choose('Alt+Space');
  await expect(app.sidebar.getByText(/Alt\+Space is taken by another program/).first()).toBeVisible();
  await app.sidebar.keyboard.press('Escape');
  await callBridge(app.sidebar, 'windows.hideMiniChat', {});
  await choose('Control+Alt+M');
  await expect.poll(() => press(app, 'Control+Alt+M')).toBe(true);
  await expect.poll(() => miniChatIsVisible(app)).toBe(true);
  expect(await press(app, shortcut)).toBe(false);
});

import path from 'node:path';
import { launchApp } from '../e2e/launch-app.ts';

/** Makes the pictures of README.md from the sample data: `npm run pictures`. */
const app = await launchApp({ sampleData: true });
try {
  const { sidebar, miniChat } = app;
  await sidebar.emulateMedia({ reducedMotion: 'reduce' });
  await sidebar.setViewportSize({ width: 1100, height: 700 });
  await sidebar.getByRole('button', { name: 'demo-app', exact: true }).click();
  await sidebar.getByRole('heading', { level: 1, name: 'demo-app' }).waitFor();
  await sidebar.getByRole('button', { name: 'Edit note' }).first().waitFor();
  await sidebar.screenshot({ path: path.join(import.meta.dirname, 'sidebar.png') });

  await miniChat.setViewportSize({ width: 400, height: 560 });
  const composer = miniChat.getByRole('textbox').last();
  for (const text of ['/todo Ask for the new certificate', 'The staging server is rebuilt every night at two.']) {
    await composer.fill(text);
    await composer.press('Enter');
    await miniChat.getByText(text.replace('/todo ', '')).first().waitFor();
  }
  await miniChat.waitForTimeout(500);
  await miniChat.screenshot({ path: path.join(import.meta.dirname, 'mini-chat.png') });
} finally {
  await app.close();
}

import { expect, test } from '@playwright/test';
import { launch } from './launch.ts';

// Headless: with a display, Chromium's displays are the real ones.
test('displays are those of Chromium', async () => {
  const launched = await launch({ args: ['--screen-info={1440x900}{800x600}'], env: { HOST_HEADLESS: '1' } });
  await launched.window('Main');
  const found = await launched.app.evaluate(({ screen }) => {
    const [first, other] = screen.getAllDisplays();
    const matching = screen.getDisplayMatching({ x: 1500, y: 10, width: 100, height: 100 });
    const nearest = screen.getDisplayNearestPoint({ x: 9000, y: 0 });
    return [
      first?.bounds,
      other?.workArea,
      matching.id === other?.id,
      nearest.id === other?.id,
      first?.id === screen.getPrimaryDisplay().id,
    ];
  });
  expect(found).toEqual([
    { x: 0, y: 0, width: 1440, height: 900 },
    { x: 1440, y: 0, width: 800, height: 600 },
    true,
    true,
    true,
  ]);
  await launched.close();
});

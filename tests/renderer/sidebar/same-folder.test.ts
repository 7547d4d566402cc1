import { expect, test } from 'vitest';
import { projectAt } from '../../../renderer/sidebar/rail/same-folder.ts';
import { project } from '../memory/application.ts';

const list = {
  sequence: 1,
  chatsId: 'chats',
  projects: [
    project('a', 'alpha-app'),
    { ...project('b', 'beta-lib'), hidden: true },
    project('c', 'elsewhere', null),
    project('w', 'windows', 'C:\\Users\\dev\\app'),
  ],
  moved: [],
};

test.each([
  ['/home/dev/beta-lib', 'b'],
  ['  /home/dev/beta-lib/ ', 'b'],
  ['/home//dev/./other/../beta-lib', 'b'],
  ['C:/Users/dev/app/', 'w'],
  ['/home/dev/beta-lib/inner', null],
  ['/home/dev/alpha-app', null],
  ['/home/dev/Beta-lib', null],
  ['', null],
])('the folder %s is that of another listed project: %s', (path, id) => {
  expect(projectAt(list, path, 'a')?.id ?? null).toBe(id);
});

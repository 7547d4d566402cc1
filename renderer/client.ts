import { type Bridge, type Client, createClient, type Role, roles } from '../src/contract/index.ts';

declare global {
  interface Window {
    /** Put there by the preload: the calls and events of this window's role, and nothing else. */
    readonly sidekeep?: Bridge;
  }
}

/** The role that this page was made for: `<html data-window="sidebar">` or `"mini-chat"`. */
export function roleOfPage(root: HTMLElement = document.documentElement): Role {
  const role = roles.find((known) => known === root.dataset.window);
  if (!role) throw new Error('this page does not say which window it is');
  return role;
}

/**
 * The client of this window. Calls never reject; see `src/contract/client.ts`.
 * @throws when the page was opened outside Sidekeep, where there is no bridge
 */
export function connect(): Client {
  if (!window.sidekeep) throw new Error('this page works only inside Sidekeep');
  return createClient(window.sidekeep, roleOfPage());
}

import type { Project, ProjectList } from '../../../src/contract/index.ts';

/**
 * The other project of the list whose folder a typed path names, hidden or not; null when there is none. Written
 * differences only: what links lead to is known to the main process alone.
 */
export function projectAt(list: ProjectList, path: string, except: string): Project | null {
  if (path.trim() === '') return null;
  const wanted = plainPath(path);
  const others = list.projects.filter(({ id }) => id !== except && id !== list.chatsId);
  return others.find((other) => other.path !== null && plainPath(other.path) === wanted) ?? null;
}

/** A path without doubled or closing separators, `.` and `..`. */
function plainPath(path: string): string {
  const trimmed = path.trim();
  const separator = /^[A-Za-z]:[\\/]|^\\\\/.test(trimmed) ? /[\\/]+/ : /\/+/;
  const parts: string[] = [];
  for (const part of trimmed.split(separator)) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

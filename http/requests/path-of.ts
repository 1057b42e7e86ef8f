import { normalizePath } from './normalize-path.js';

/** Returns the normalized path of a target: without its query, and without the origin of an absolute target. */
export function pathOf(target: string): string {
  const text = target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const end = text.search(/[?#]/);
  return normalizePath(end < 0 ? text : text.slice(0, end));
}

/** Translates a path with `{names}` to the form of express, without a trailing slash: `/a/{id}/` → `/a/:id`. */
export function expressPath(path: string): string {
  return path.replace(/(?<=.)\/$/, '').replace(/\{(\w+)\}/g, ':$1');
}

/**
 * Compares paths of express for sorting. `/a/hot` precedes `/a/:id`, because a literal segment is more specific than a
 * parameter.
 */
export function compareSpecificity(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const index = left.findIndex((segment, place) => segment.startsWith(':') !== right[place]?.startsWith(':'));
  return index < 0 ? 0 : Number(left[index]?.startsWith(':')) - Number(right[index]?.startsWith(':') ?? false);
}

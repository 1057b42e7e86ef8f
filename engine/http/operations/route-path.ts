/** Converts a path with `{names}` to the syntax of express, without a trailing slash: `/a/{id}/` → `/a/:id`. */
export function expressPath(path: string): string {
  return path.replace(/(?<=.)\/$/, '').replace(/\{(\w+)\}/g, ':$1');
}

/**
 * Compares express paths for sorting. `/a/hot` precedes `/a/:id`, because a literal segment is more specific than a
 * parameter. The order is total, because sorting could misplace paths if unrelated paths counted as equal.
 */
export function compareSpecificity(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [place, segment] of left.entries()) {
    const other = right[place];
    if (other === undefined) return 1;
    if (segment === other) continue;
    const [isParameter, isOtherParameter] = [segment.startsWith(':'), other.startsWith(':')];
    if (isParameter !== isOtherParameter) return isParameter ? 1 : -1;
    if (!isParameter) return segment < other ? -1 : 1;
  }
  return left.length - right.length;
}

/** A path with `{names}` as express writes it, without the slash at its end: `/a/:id`. */
export function expressPath(path: string): string {
  return path.replace(/(?<=.)\/$/, '').replace(/\{(\w+)\}/g, ':$1');
}

/** For sorting paths of express, so that `/a/hot` is not taken for `/a/:id`: literal segments stand before parameters. */
export function bySpecificity(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const index = left.findIndex((segment, place) => segment.startsWith(':') !== right[place]?.startsWith(':'));
  return index < 0 ? 0 : Number(left[index]?.startsWith(':')) - Number(right[index]?.startsWith(':') ?? false);
}

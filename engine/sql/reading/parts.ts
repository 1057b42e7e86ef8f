/** A part of the parser's tree. */
export type Tree = Readonly<Record<string, unknown>>;

/** Returns the kind of a node and its fields. */
export function firstEntry(node: unknown): [kind: string, fields: Tree] {
  const [entry] = typeof node === 'object' && node !== null ? Object.entries(node as Tree) : [];
  return entry === undefined ? ['', {}] : [entry[0], (entry[1] ?? {}) as Tree];
}

export function expressionsOf(part: Tree): readonly unknown[] {
  const list = Array.isArray(part) ? part : part.expressions;
  return Array.isArray(list) ? list : [];
}

/** Returns the name of an expression of a select list; null if it has none. */
export function outputName(expression: unknown): string | null {
  const [kind, fields] = firstEntry(expression);
  return kind === 'alias' ? nameOf(fields.alias) : kind === 'column' ? nameOf(fields.name) : null;
}

export function nameOf(identifier: unknown): string | null {
  const name = typeof identifier === 'object' && identifier !== null ? (identifier as Tree).name : undefined;
  return typeof name === 'string' ? name : null;
}

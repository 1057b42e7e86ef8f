/** The item that matches a path, and the parameter values in the path. */
export interface Match<Item> {
  readonly found: Item;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Finds the item whose path pattern, such as `/p/ovens/{oven}`, matches the path of a URL. A literal segment takes precedence over a
 * parameter at the same position.
 */
export function findPage<Item>(
  items: readonly Item[],
  patternOf: (item: Item) => string,
  path: string,
): Match<Item> | undefined {
  const segments = segmentsOf(path);
  const matches = items.flatMap((found) => {
    const pattern = segmentsOf(patternOf(found));
    const values = matchSegments(pattern, segments);
    return values === undefined ? [] : [{ found, values, rank: rankOf(pattern) }];
  });
  const [first] = matches.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return first && { found: first.found, values: first.values };
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/^\/+|\/+$/g, '').split('/');
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const text = decodeSegment(segments[index] ?? '');
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (text === undefined || text === '') return undefined;
    if (name !== undefined) values[name] = text;
    else if (text !== expected) return undefined;
  }
  return values;
}

/** The precedence of patterns that match the same path: from left to right, a literal segment comes before a parameter. */
function rankOf(pattern: readonly string[]): string {
  return pattern.map((segment) => (segment.startsWith('{') ? '1' : '0')).join('');
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

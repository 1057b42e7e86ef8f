/** The classes of changes, the most severe one first. */
export const EFFECTS = ['breaking', 'compatible', 'cosmetic'] as const;

/**
 * `breaking`: a request or a client program that worked before can fail or silently get another answer. `compatible`:
 * all requests and client programs continue to work. `cosmetic`: only texts for readers changed.
 */
export type Effect = (typeof EFFECTS)[number];

/** A difference between two contracts of one endpoint. */
export interface Difference {
  readonly effect: Effect;
  readonly action: 'added' | 'removed' | 'renamed' | 'changed' | 'reordered';
  /** The key in the definition, such as `params.sort.enum`; empty for the endpoint as a whole. */
  readonly place: string;
  readonly before?: string;
  readonly after?: string;
  readonly reason: string;
}

export interface ContractChange extends Difference {
  /** The current name of the endpoint; for a removed endpoint, its last name. */
  readonly endpoint: string;
}

/** Creates the difference for a value that was added, removed or changed. Returns none if both values are equal. */
export function differenceOf(
  place: string,
  [before, after]: readonly [unknown, unknown],
  explain: (action: Difference['action']) => Pick<Difference, 'effect' | 'reason'>,
): Difference[] {
  const [old, current] = [formatSide(before), formatSide(after)];
  if (old === current) return [];
  const action = old === undefined ? 'added' : current === undefined ? 'removed' : 'changed';
  const sides = { ...(old !== undefined && { before: old }), ...(current !== undefined && { after: current }) };
  return [{ action, place, ...sides, ...explain(action) }];
}

/** Like `differenceOf`, but without the values, for texts that are too long to be shown. */
export function textDifference(
  place: string,
  sides: readonly [unknown, unknown],
  explanation: Pick<Difference, 'effect' | 'reason'>,
): Difference[] {
  return differenceOf(place, sides, () => explanation).map(({ before: _, after: __, ...difference }) => difference);
}

/** Formats a difference as one line: `params.sort.enum removed: ["kind"]; requests with these values are rejected`. */
export function formatDifference({ place, action, before, after, reason }: Difference): string {
  const sides = [before, after].filter((side) => side !== undefined).map(printable);
  const values = sides.length === 0 ? '' : ` ${sides.join(' → ')};`;
  return `${place === '' ? 'endpoint' : printable(place)} ${action}:${values} ${reason}`;
}

/** Shortens a text, and replaces terminal control characters, because the text can be from an untrusted document. */
function printable(text: string): string {
  const short = text.length > MAX_SIDE ? `${text.slice(0, MAX_SIDE)}…` : text;
  return short.replace(/\p{C}/gu, '\ufffd');
}

const MAX_SIDE = 120;

/** Formats a value of a definition: text unchanged, lists with commas. Returns undefined for an absent value. */
function formatSide(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { didYouMean } from '../../sql/did-you-mean.js';

/** The columns of each table of a database. */
export type TableColumns = ReadonlyMap<string, readonly string[]>;

/**
 * Returns ` (did you mean "x"?)` for a message of a database about a table or a column that does not exist. Returns an
 * empty text for other messages, if the message already contains a suggestion, and if no name is similar. `read`
 * contains the tables that the query names, in lower case.
 */
export function nameHint(message: string, read: ReadonlySet<string>, known: TableColumns): string {
  if (!UNKNOWN_NAME.test(message) || message.includes('did you mean')) return '';
  const words = new Set(message.toLowerCase().match(/[\p{L}\d_]+/gu));
  const tables = new Map([...known.keys()].map((table) => [table.toLowerCase(), table]));
  const isMissing = (table: string) => !tables.has(table) && words.has(lastPart(table));
  const missing = [...read].find(isMissing) ?? quotedNames(message).find((name) => isOtherCase(name, tables));
  if (missing !== undefined) return didYouMean(lastPart(missing), [...known.keys()]);
  const columns = [...new Set([...read].flatMap((table) => known.get(tables.get(table) ?? table) ?? []))];
  const isKnown = (name: string) => columns.some((column) => column.toLowerCase() === name.toLowerCase());
  const unknown = quotedNames(message).filter((name) => !isKnown(name));
  return unknown.map((name) => didYouMean(name, columns)).find((hint) => hint !== '') ?? '';
}

/** Whether a table has this name in other upper and lower case, which some servers treat as another name. */
function isOtherCase(name: string, tables: ReadonlyMap<string, string>): boolean {
  const table = tables.get(name.toLowerCase());
  return table !== undefined && table !== name;
}

/** Matches the messages of the supported databases for unknown tables and columns. */
const UNKNOWN_NAME = /unknown column|not found|not have a column|does(?:n't| not) exist/i;

/** Returns the quoted names in a message, without the table or schema before them. */
function quotedNames(message: string): string[] {
  return [...message.matchAll(/(['"`])([\p{L}\d_.]+)\1/gu)].map(([, , name = '']) => lastPart(name));
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** Returns the first line of a message. In messages of DuckDB, the other lines show the position of the error in the SQL. */
export function rejectionReason({ message }: Error): string {
  return message.split('\n')[0] ?? message;
}

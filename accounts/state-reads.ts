import type { BoundValue, Cell, Database } from '../engine/index.js';

/**
 * Runs a SELECT in the MySQL dialect on the read connections, and returns its rows as of the last commit. Throws if there are more than
 * 10,000 rows.
 */
export async function readStateRows(
  database: Database,
  select: string,
  values: readonly BoundValue[] = [],
  signal?: AbortSignal,
): Promise<readonly (readonly Cell[])[]> {
  const options = { maxRows: MAX_ROWS, timeoutMs: limitBy.get(database) ?? TIMEOUT_MS, ...(signal && { signal }) };
  const { rows, more } = await database.query(prepareOnce(database, select), values, options);
  if (more) throw new Error(`Expected at most ${MAX_ROWS} rows of: ${select}`);
  return rows;
}

/**
 * Yields rows that are read in batches, so that only one batch is in memory. `read` returns the rows after the last row of the previous
 * batch, at most `size`, in the order of a unique key.
 */
export async function* readInBatches<Value>(
  size: number,
  convert: (row: readonly Cell[]) => Value,
  read: (last: readonly Cell[] | undefined) => Promise<readonly (readonly Cell[])[]>,
): AsyncGenerator<Value> {
  let rows: readonly (readonly Cell[])[] = [];
  do {
    rows = await read(rows.at(-1));
    for (const row of rows) yield convert(row);
  } while (rows.length === size);
}

/** Sets the time limit of `readStateRows` on a database. */
export function limitStateReads(database: Database, timeoutMs: number): void {
  limitBy.set(database, timeoutMs);
}

const MAX_ROWS = 10_000;
const TIMEOUT_MS = 5_000;
const limitBy = new WeakMap<Database, number>();

type Prepared = ReturnType<Database['prepare']>;

/** Prepared queries by SQL text. There are only a few texts, because all of them are constants in the code. */
const preparedBy = new WeakMap<Database, Map<string, Prepared>>();

function prepareOnce(database: Database, select: string): Prepared {
  let texts = preparedBy.get(database);
  if (texts === undefined) {
    texts = new Map();
    preparedBy.set(database, texts);
  }
  let query = texts.get(select);
  if (query === undefined) {
    query = database.prepare(select);
    texts.set(select, query);
  }
  return query;
}

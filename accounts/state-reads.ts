import type { BoundValue, Cell, Database } from '../engine/index.js';

/** Rows of one of the service's own SELECTs as of the last commit, by the connections for reading. Dialect: MySQL. */
export async function readStateRows(
  database: Database,
  select: string,
  values: readonly BoundValue[] = [],
  signal?: AbortSignal,
): Promise<readonly (readonly Cell[])[]> {
  const options = { maxRows: MAX_ROWS, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
  const { rows, more } = await database.query(prepared(database, select), values, options);
  if (more) throw new Error(`More than ${MAX_ROWS} rows came: ${select}`);
  return rows;
}

const MAX_ROWS = 10_000;
const TIMEOUT_MS = 5_000;

type Prepared = ReturnType<Database['prepare']>;

/** Texts of this service's own code, so they are few. */
const known = new WeakMap<Database, Map<string, Prepared>>();

function prepared(database: Database, select: string): Prepared {
  let texts = known.get(database);
  if (texts === undefined) {
    texts = new Map();
    known.set(database, texts);
  }
  let query = texts.get(select);
  if (query === undefined) {
    query = database.prepare(select);
    texts.set(select, query);
  }
  return query;
}

/** A query that was run in this browser. */
export interface PastQuery {
  readonly sql: string;
  /** The time of the query, ISO 8601. */
  readonly at: string;
}

const KEY = 'repo-insight-playground-history';
const MAX_QUERIES = 30;

/** Reads the query history of this browser, newest first. If storage is not available, the list is empty. */
export function readHistory(): readonly PastQuery[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPastQuery).slice(0, MAX_QUERIES) : [];
  } catch {
    return [];
  }
}

/** Adds a query at the start of the history. An equal earlier query is moved. */
export function addToHistory(sql: string, now: Date): readonly PastQuery[] {
  const text = sql.trim();
  const others = readHistory().filter((query) => query.sql !== text);
  return write([{ sql: text, at: now.toISOString() }, ...others].slice(0, MAX_QUERIES));
}

export function removeFromHistory(sql: string): readonly PastQuery[] {
  return write(readHistory().filter((query) => query.sql !== sql));
}

export function clearHistory(): readonly PastQuery[] {
  return write([]);
}

function write(queries: readonly PastQuery[]): readonly PastQuery[] {
  try {
    localStorage.setItem(KEY, JSON.stringify(queries));
  } catch {
    // If storage is not available, the history exists only until the page is closed.
  }
  return queries;
}

function isPastQuery(value: unknown): value is PastQuery {
  const { sql, at } = (value ?? {}) as Partial<Record<keyof PastQuery, unknown>>;
  return typeof sql === 'string' && typeof at === 'string' && !Number.isNaN(Date.parse(at));
}

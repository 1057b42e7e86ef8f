/** A query that ran in this browser. */
export interface PastQuery {
  readonly sql: string;
  /** ISO 8601. */
  readonly at: string;
}

const KEY = 'repo-insight-playground-history';
const MAX_QUERIES = 30;

/** Reads the queries of this browser, newest first. Without storage, the list is empty. */
export function readHistory(): readonly PastQuery[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPastQuery).slice(0, MAX_QUERIES) : [];
  } catch {
    return [];
  }
}

/** Adds a query as the newest one. An equal earlier query moves. */
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
    // Without storage, the history lasts as long as the page.
  }
  return queries;
}

function isPastQuery(value: unknown): value is PastQuery {
  const { sql, at } = (value ?? {}) as Partial<Record<keyof PastQuery, unknown>>;
  return typeof sql === 'string' && typeof at === 'string' && !Number.isNaN(Date.parse(at));
}

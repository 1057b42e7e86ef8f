import type { DuckDBConnection } from '@duckdb/node-api';

/** The statements that write a table. Text such as `DO UPDATE SET` also matches, but `set` is not a table. */
const WRITES =
  /\b(?:INTO|UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|(?:ALTER|DROP)\s+TABLE(?:\s+IF\s+EXISTS)?|COPY)\s+"?(\w+)/gi;

/** The functions of a connection whose first argument is a text of SQL or the name of a table. */
type Call = (text: unknown, ...rest: unknown[]) => unknown;

/**
 * The same connection, which calls `onWrite` with each name that a statement may write, before it runs. In a file, the staging
 * database has the tables themselves, so SQL that runs directly on it can change them. The names include temporary tables.
 */
export function watchWrites(connection: DuckDBConnection, onWrite: (table: string) => void): DuckDBConnection {
  const get = (target: DuckDBConnection, key: string | symbol) => {
    const value: unknown = Reflect.get(target, key);
    if (typeof value !== 'function') return value;
    const call = value as Call;
    if (key === 'createAppender') {
      return (table: unknown, ...rest: unknown[]) => {
        onWrite(String(table));
        return call.call(target, table, ...rest);
      };
    }
    return (text: unknown, ...rest: unknown[]) => {
      if (typeof text === 'string') for (const [, name = ''] of text.matchAll(WRITES)) onWrite(name);
      return call.call(target, text, ...rest);
    };
  };
  return new Proxy(connection, { get });
}

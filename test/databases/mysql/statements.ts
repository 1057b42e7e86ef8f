import { createConnection } from 'mysql2/promise';
import { eventually } from '../../services/eventually.js';
import { IS_TIDB } from '../../services/server.js';

const NUMBERS = 'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000)';

/** A query that runs for days unless it is stopped. `Watch` finds it in the process list by the word `endless`. */
export const ENDLESS = { sql: `${NUMBERS} SELECT SUM(a.i * b.i % (c.i + d.i)) AS endless FROM n a, n b, n c, n d` };

/**
 * A query that waits without using the processor. It waits for a lock that a `Watch` holds. (TiDB can interrupt a SLEEP, but not a
 * statement that waits for a lock.)
 */
export const WAITING = {
  sql: IS_TIDB ? 'SELECT SLEEP(100000) AS endless' : "SELECT GET_LOCK('held', 100000) AS endless",
};

/** A query that returns some rows and then waits for a lock, like `WAITING`. */
export const HALFWAY = {
  sql: `${NUMBERS} SELECT i, REPEAT('x', 20000) AS text, IF(i = 10, GET_LOCK('held', 100000), 0) AS endless FROM n`,
};

/** A query that returns rows endlessly. */
export const FLOOD = { sql: `${NUMBERS} SELECT a.i, b.i AS endless FROM n a, n b, n c, n d` };

/** Observes a server through a separate connection. */
export interface Watch {
  /** Returns the number of running statements that contain `endless`. */
  running(): Promise<number>;
  /** Returns the number of connections of other clients. */
  connections(): Promise<number>;
  /** Waits until this number of endless statements is running. */
  until(running: number): Promise<void>;
  /** Releases the lock, so that one waiting statement continues. */
  release(): Promise<void>;
  /** Kills the connections of all other clients. */
  killAll(): Promise<void>;
  close(): Promise<void>;
}

export async function watch(url: string): Promise<Watch> {
  const connection = await createConnection({ uri: url, rowsAsArray: true });
  await connection.query("SELECT GET_LOCK('held', 10)");
  const ids = async (condition: string): Promise<number[]> => {
    const others = "ID <> CONNECTION_ID() AND USER NOT IN ('system user', 'event_scheduler', 'unauthenticated user')";
    const sql = `SELECT ID FROM information_schema.PROCESSLIST WHERE ${others} AND ${condition}`;
    const [rows] = await connection.query(sql);
    return (rows as unknown as number[][]).map(([id = 0]) => id);
  };
  const running = async () => (await ids("INFO LIKE '%endless%'")).length;
  return {
    running,
    connections: async () => (await ids('TRUE')).length,
    until: (count) => eventually(async () => (await running()) === count),
    release: async () => void (await connection.query("SELECT RELEASE_LOCK('held')")),
    killAll: async () => {
      for (const id of await ids('TRUE')) await connection.query(`KILL ${id}`).catch(() => {});
    },
    close: () => connection.end(),
  };
}

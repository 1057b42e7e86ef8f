import { createConnection } from 'mysql2/promise';
import { eventually } from '../../services/eventually.js';
import { IS_TIDB } from '../../services/server.js';

const NUMBERS = 'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000)';

/** Runs for days unless it is stopped. The text is found in the list of processes. */
export const ENDLESS = { sql: `${NUMBERS} SELECT SUM(a.i * b.i % (c.i + d.i)) AS endless FROM n a, n b, n c, n d` };

/**
 * As long, but costs the server nothing: it waits for a lock that a `Watch` holds. TiDB stops a SLEEP, but no statement that waits for
 * a lock.
 */
export const WAITING = {
  sql: IS_TIDB ? 'SELECT SLEEP(100000) AS endless' : "SELECT GET_LOCK('held', 100000) AS endless",
};

/** Gives some rows and then waits as long. */
export const HALFWAY = {
  sql: `${NUMBERS} SELECT i, REPEAT('x', 20000) AS text, IF(i = 10, GET_LOCK('held', 100000), 0) AS endless FROM n`,
};

/** Gives rows as fast as it can, without end. */
export const FLOOD = { sql: `${NUMBERS} SELECT a.i, b.i AS endless FROM n a, n b, n c, n d` };

/** Looks at a server from outside. */
export interface Watch {
  /** Statements that have the word `endless` in them. */
  running(): Promise<number>;
  /** Connections of all clients but this one. */
  connections(): Promise<number>;
  /** Waits until as many endless statements run. */
  until(running: number, withinMs?: number): Promise<void>;
  /** Ends the connections of all other clients. */
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
    until: (count, withinMs = 10_000) => eventually(withinMs, async () => (await running()) === count),
    killAll: async () => {
      for (const id of await ids('TRUE')) await connection.query(`KILL ${id}`).catch(() => {});
    },
    close: () => connection.end(),
  };
}

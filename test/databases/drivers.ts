import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import type { Database } from '../../engine/databases/interface/database.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { execute, useMysql } from '../services/mysql.js';
import { describeEmbedded } from '../services/server.js';
import { openTestDatabase } from './duckdb/open-test-database.js';

/** The options that all drivers have in common. */
export interface DriverOptions {
  readonly connections?: number;
  readonly statements?: number;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  readonly maxResultBytes?: number;
}

/** A driver, and the database that its suite uses. */
export interface Driver {
  open(options: DriverOptions): Promise<Database>;
  /** Runs a statement on a separate connection, which writes to the database that was opened last. */
  run(statement: string): Promise<unknown>;
  /** Returns a table expression for FROM, whose column `n` contains the numbers from 1 to `most`. */
  numbers(most: number, name: string): string;
}

/** Defines a suite for each driver. Without a server, the suite for the server driver is skipped. */
export function onEveryDriver(title: string, suite: (driver: Driver) => void): void {
  describeEmbedded(`${title} the embedded database`, () => suite(embeddedDriver()));
  describe(`${title} a MySQL-protocol database`, () => {
    const server = useMysql();
    suite({
      open: (options) => openMysql({ url: server.url, allowWritingAccount: true, ...options }),
      run: (statement) => execute(server.url, statement),
      numbers: numbersTable,
    });
  });
}

function embeddedDriver(): Driver {
  let database: EmbeddedDatabase | undefined;
  return {
    open: async ({ connections = 2, ...options }) => {
      database = await openTestDatabase({ readers: connections, ...options });
      return database;
    },
    run: async (statement) => database?.write((connection) => connection.run(statement)),
    numbers: (most, name) => `range(1, ${most + 1}) ${name}(n)`,
  };
}

/** Returns a table of numbers as a join of short lists, so that the server can return the first rows before it has computed all of them. */
function numbersTable(most: number, name: string): string {
  const digits = most <= 1000 ? ['a'] : most <= 1e6 ? ['a', 'b'] : ['a', 'b', 'c'];
  const n = digits.map((digit, place) => `${1000 ** place} * ${digit}.i`).join(' + ');
  const counting = `WITH RECURSIVE k AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM k WHERE i < ${Math.min(most, 1000) - 1})`;
  const from = digits.map((digit) => `k ${digit}`).join(', ');
  const highest = Math.ceil(most / 1000 ** (digits.length - 1));
  return `(${counting} SELECT 1 + ${n} AS n FROM ${from} WHERE ${digits.at(-1)}.i < ${highest} AND 1 + ${n} <= ${most}) ${name}`;
}

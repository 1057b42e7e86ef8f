import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import { openMysql } from '../../databases/mysql/database.js';
import type { Database } from '../../engine/interface/database.js';
import { execute, useMysql } from '../services/mysql.js';
import { describeEmbedded } from '../services/server.js';
import { opened } from './duckdb/opened.js';

/** What every driver lets be chosen. */
export interface Choices {
  readonly connections?: number;
  readonly statements?: number;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  readonly maxResultBytes?: number;
}

/** A driver over a database of its suite's own. */
export interface Driver {
  open(choices: Choices): Promise<Database>;
  /** Runs a statement that writes, beside the readers of the database that was opened last. */
  run(statement: string): Promise<unknown>;
  /** A table of FROM whose column `n` counts from 1. */
  numbers(most: number, name: string): string;
}

/** Makes a suite for every driver; without a MariaDB its suite is skipped. */
export function onEveryDriver(title: string, suite: (driver: Driver) => void): void {
  describeEmbedded(`${title} the embedded database`, () => suite(embedded()));
  describe(`${title} a MySQL-protocol database`, () => {
    const server = useMysql();
    suite({
      open: (choices) => openMysql({ url: server.url, allowWritingAccount: true, ...choices }),
      run: (statement) => execute(server.url, statement),
      numbers,
    });
  });
}

function embedded(): Driver {
  let database: EmbeddedDatabase | undefined;
  return {
    open: async ({ connections = 2, ...choices }) => {
      database = await opened({ readers: connections, ...choices });
      return database;
    },
    run: async (statement) => database?.write((connection) => connection.run(statement)),
    numbers: (most, name) => `range(1, ${most + 1}) ${name}(n)`,
  };
}

/** From as many numbers below 1,000 as it takes, so that the server can give the first rows before it has counted them all. */
function numbers(most: number, name: string): string {
  const digits = most <= 1000 ? ['a'] : most <= 1e6 ? ['a', 'b'] : ['a', 'b', 'c'];
  const n = digits.map((digit, place) => `${1000 ** place} * ${digit}.i`).join(' + ');
  const counting = `WITH RECURSIVE k AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM k WHERE i < ${Math.min(most, 1000) - 1})`;
  const from = digits.map((digit) => `k ${digit}`).join(', ');
  const highest = Math.ceil(most / 1000 ** (digits.length - 1));
  return `(${counting} SELECT 1 + ${n} AS n FROM ${from} WHERE ${digits.at(-1)}.i < ${highest} AND 1 + ${n} <= ${most}) ${name}`;
}

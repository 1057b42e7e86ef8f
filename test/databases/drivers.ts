import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import { openMysql } from '../../databases/mysql/database.js';
import type { Database } from '../../engine/database.js';
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
      numbers: (most, name) =>
        `(WITH RECURSIVE counted AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM counted WHERE n < ${most}) SELECT n FROM counted) ${name}`,
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

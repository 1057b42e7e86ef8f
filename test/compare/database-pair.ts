import { randomBytes } from 'node:crypto';
import { type Connection, createConnection, escapeId, type RowDataPacket } from 'mysql2/promise';
import { IN_MEMORY } from '../../engine/databases/duckdb/connection/options.js';
import { type EmbeddedDatabase, openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import type { Database } from '../../engine/databases/interface/database.js';
import { exactCollation, flavorOf } from '../../engine/databases/mysql/connection/flavor.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { quoteName, quoteText } from '../../engine/sql/duckdb/tree/quote.js';
import { createDatabase, withDatabase } from '../services/mysql.js';

/**
 * A database on a server, and an embedded database with copies of its tables. Statements that create and change tables run on the server.
 * Before a SELECT, `copyTables` copies the tables that it names and that were changed.
 */
export class DatabasePair {
  readonly server: Database;
  readonly embedded: EmbeddedDatabase;
  readonly #connection: Connection;
  readonly #name: string;
  readonly #collation: string;
  /** The tables that are not removed by `reset`. */
  #kept: ReadonlySet<string> = new Set();
  /** The number of changes on the server, and this number at the last copy of each table. */
  #changes = 0;
  readonly #copied = new Map<string, number>();
  /** The tables that cannot be copied, and the reason. */
  readonly #excluded = new Map<string, string>();

  private constructor(
    databases: { readonly server: Database; readonly embedded: EmbeddedDatabase },
    connection: Connection,
    { name, collation }: { readonly name: string; readonly collation: string },
  ) {
    this.server = databases.server;
    this.embedded = databases.embedded;
    this.#connection = connection;
    this.#name = name;
    this.#collation = collation;
  }

  static async open(serverUrl: string): Promise<DatabasePair> {
    const name = `compare_${randomBytes(4).toString('hex')}`;
    await createDatabase(serverUrl, name);
    const url = withDatabase(serverUrl, name);
    const connection = await createConnection({
      uri: url,
      charset: 'utf8mb4',
      dateStrings: true,
      supportBigNumbers: true,
    });
    const [[row]] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version');
    const flavor = flavorOf(String(row?.version));
    await connection.query("SET time_zone = '+00:00', sql_mode = ''");
    if (flavor === 'mariadb') await connection.query(`SET max_statement_time = ${STATEMENT_SECONDS}`);
    const server = await openMysql({ url, allowWritingAccount: true, connections: 1 });
    const embedded = await openEmbedded({ file: IN_MEMORY, memoryLimit: '1GB', threads: 1, readers: 1 });
    return new DatabasePair({ server, embedded }, connection, { name, collation: exactCollation(flavor) });
  }

  /** Runs a statement of a suite on the server. Returns false if the server rejects it. */
  async change(sql: string): Promise<boolean> {
    this.#changes += 1;
    return this.#succeeds(sql);
  }

  /** Whether the server runs a SELECT as it is. */
  accepts(sql: string): Promise<boolean> {
    return this.#succeeds(sql);
  }

  async #succeeds(sql: string): Promise<boolean> {
    return this.#connection.query(sql).then(
      () => true,
      () => false,
    );
  }

  /** Keeps the tables that exist now at every `reset`. */
  async keepTables(): Promise<void> {
    this.#kept = new Set(await this.#tables());
  }

  /** Removes the tables and views of the server that were created after `keepTables`. */
  async reset(): Promise<void> {
    await this.#connection.query('SET foreign_key_checks = 0');
    for (const table of await this.#tables()) {
      if (this.#kept.has(table)) continue;
      await this.#succeeds(`DROP TABLE IF EXISTS ${escapeId(table, true)}`);
      await this.#succeeds(`DROP VIEW IF EXISTS ${escapeId(table, true)}`);
      await this.#forget(table);
    }
    await this.#connection.query('SET foreign_key_checks = 1');
  }

  /** Copies the tables of a text to the embedded database. As on the server, the case of names counts. Returns why this is not possible for one of them. */
  async copyTables(sql: string): Promise<string | undefined> {
    const words = new Set(sql.match(/[\w$]+/g) ?? []);
    for (const table of await this.#tables()) {
      if (!words.has(table)) continue;
      if (this.#copied.get(table) !== this.#changes) await this.#copy(table);
      const reason = this.#excluded.get(table);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#connection.query(`DROP DATABASE ${this.#name}`);
    await this.#connection.end();
    await this.server.close();
    await this.embedded.close();
  }

  #listed: { readonly at: number; readonly tables: readonly string[] } = { at: -1, tables: [] };

  async #tables(): Promise<readonly string[]> {
    if (this.#listed.at === this.#changes) return this.#listed.tables;
    const [rows] = await this.#connection.query<RowDataPacket[]>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
    );
    this.#listed = { at: this.#changes, tables: rows.map(({ name }) => String(name)) };
    return this.#listed.tables;
  }

  async #forget(table: string): Promise<void> {
    this.#changes += 1;
    this.#copied.delete(table);
    await this.embedded.write((connection) => connection.run(`DROP TABLE IF EXISTS ${quoteName(table)}`));
  }

  async #copy(table: string): Promise<void> {
    this.#excluded.delete(table);
    // The embedded database has only one of the tables `t` and `T`.
    for (const other of this.#copied.keys())
      if (other.toLowerCase() === table.toLowerCase()) this.#copied.delete(other);
    this.#copied.set(table, this.#changes);
    const reason = await this.#tryToCopy(table).catch((error: Error) => `rows: ${error.message}`);
    if (reason !== undefined) this.#excluded.set(table, reason);
  }

  async #tryToCopy(table: string): Promise<string | undefined> {
    const isExact = ({ collation }: ServerColumn) => collation === null || collation === this.#collation;
    let columns = await this.#columns(table);
    if (!columns.every(isExact)) {
      await this.#succeeds(
        `ALTER TABLE ${escapeId(table, true)} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${this.#collation}`,
      );
      columns = await this.#columns(table);
    }
    if (columns.length === 0) return 'a table without columns';
    if (!columns.every(isExact)) return 'a table whose collation cannot be changed';
    const types = columns.map(embeddedType);
    const unsupported = columns[types.indexOf(undefined)];
    if (unsupported !== undefined) return `the type ${unsupported.type}`;
    const list = columns.map(({ name }, index) => `${quoteName(name)} ${types[index]}`).join(', ');
    const [rows] = await this.#connection.query<RowDataPacket[]>({
      sql: `SELECT * FROM ${escapeId(table, true)} LIMIT ${MAX_ROWS + 1}`,
      rowsAsArray: true,
      typeCast: (field) => field.string('utf8'),
    });
    if (rows.length > MAX_ROWS) return `more than ${MAX_ROWS} rows`;
    await this.embedded.write(async (connection) => {
      await connection.run(`DROP TABLE IF EXISTS ${quoteName(table)}`);
      await connection.run(`CREATE TABLE ${quoteName(table)} (${list})`);
      for (let from = 0; from < rows.length; from += BATCH) {
        const batch = (rows as unknown as (string | null)[][]).slice(from, from + BATCH);
        const values = batch.map((row) => `(${row.map(quoteValue).join(', ')})`);
        await connection.run(`INSERT INTO ${quoteName(table)} VALUES ${values.join(', ')}`);
      }
    });
    return undefined;
  }

  async #columns(table: string): Promise<readonly ServerColumn[]> {
    const [rows] = await this.#connection.query<RowDataPacket[]>(
      `SELECT column_name AS name, data_type AS kind, column_type AS type, numeric_precision AS digits, numeric_scale AS scale,
         collation_name AS collation, EXISTS (
           SELECT 1 FROM information_schema.check_constraints AS checks
           WHERE checks.constraint_schema = DATABASE() AND checks.table_name = columns.table_name
             AND checks.check_clause = CONCAT('json_valid(', CHAR(96), column_name, CHAR(96), ')')) AS isJson
       FROM information_schema.columns AS columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
      [table],
    );
    return rows as unknown as ServerColumn[];
  }
}

interface ServerColumn {
  readonly name: string;
  /** The type without its length, such as `int`. */
  readonly kind: string;
  /** The complete type, such as `int(10) unsigned`. */
  readonly type: string;
  readonly digits: number | null;
  readonly scale: number | null;
  readonly collation: string | null;
  /** Whether the column has the type JSON, which is a text with a check on MariaDB. */
  readonly isJson: number;
}

/** Returns the type of a column in the embedded database; undefined for types that have no equivalent. */
function embeddedType({ kind, type, digits, scale, isJson }: ServerColumn): string | undefined {
  if (isJson === 1) return 'JSON';
  if (type.includes('zerofill')) return undefined;
  const integer = INTEGERS[kind];
  if (integer !== undefined) return type.includes('unsigned') ? `U${integer}` : integer;
  if (kind === 'decimal') return Number(digits) <= 38 ? `DECIMAL(${digits}, ${scale})` : undefined;
  return OTHER_TYPES[kind];
}

const INTEGERS: Readonly<Record<string, string>> = {
  tinyint: 'TINYINT',
  smallint: 'SMALLINT',
  mediumint: 'INTEGER',
  int: 'INTEGER',
  bigint: 'BIGINT',
};

const OTHER_TYPES: Readonly<Record<string, string>> = {
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  timestamp: 'TIMESTAMP',
  char: 'VARCHAR',
  varchar: 'VARCHAR',
  tinytext: 'VARCHAR',
  text: 'VARCHAR',
  mediumtext: 'VARCHAR',
  longtext: 'VARCHAR',
};

const MAX_ROWS = 2_000;
const BATCH = 500;
const STATEMENT_SECONDS = 10;

function quoteValue(value: string | null): string {
  return value === null ? 'NULL' : quoteText(value);
}

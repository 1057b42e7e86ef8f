import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createConnection, type ResultSetHeader } from 'mysql2/promise';
import { createRandom, type Random } from '../../demo/world/random.js';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';

/** A value as text; bytes are hexadecimal digits. */
export type Value = string | number | null;

/** A table of a database that no part of this project knows. */
export interface SampleTable {
  readonly name: string;
  /** The MySQL type of each column, by its name. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** The number of rows for the size 1. Tables without it have the same rows in every size. */
  readonly rowsPerSize?: number;
  /** Rows with special values, such as the limits of each type. They come first. */
  readonly special?: readonly (readonly Value[])[];
  /** Creates the row with this number, which starts with the number of special rows. */
  readonly row?: (random: Random, index: number) => readonly Value[];
}

export interface SampleSchema {
  readonly name: string;
  readonly tables: readonly SampleTable[];
}

function* rowsOf({ name, special = [], row, rowsPerSize = 0 }: SampleTable, size: number): Generator<readonly Value[]> {
  yield* special;
  if (row === undefined) return;
  const random = createRandom(1, name);
  for (let index = special.length; index < rowsPerSize * size; index++) yield row(random, index);
}

/** Creates the tables of a schema in the database of a URL, and loads their rows. */
export async function fillServer(url: string, { tables }: SampleSchema, size: number): Promise<void> {
  const connection = await createConnection({ uri: url });
  try {
    await connection.query(
      "SET time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', NAMES utf8mb4",
    );
    for (const table of tables) {
      const columns = Object.entries(table.columns).map(([name, type]) => `\`${name}\` ${type}`);
      await connection.query(
        `CREATE TABLE ${table.name} (${columns.join(', ')}, PRIMARY KEY (${table.key.join(', ')}))`,
      );
      const read = Object.keys(table.columns).map((_, index) => `@v${index}`);
      const set = Object.entries(table.columns).map(
        ([name, type], index) => `\`${name}\` = ${serverValue(type, `@v${index}`)}`,
      );
      const rows = rowsOf(table, size);
      const [loaded] = await connection.query<ResultSetHeader>({
        sql: `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${table.name} CHARACTER SET utf8mb4 (${read}) SET ${set}`,
        infileStreamFactory: () => Readable.from(linesOf(rows), { objectMode: false }),
      });
      if (loaded.warningStatus > 0) {
        const [warnings] = await connection.query('SHOW WARNINGS');
        throw new Error(`${table.name}: ${JSON.stringify(warnings)}`);
      }
    }
  } finally {
    await connection.end();
  }
}

function* linesOf(rows: Iterable<readonly Value[]>): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += `${row.map((value) => (value === null ? '\\N' : String(value).replaceAll(/[\\\t\n]/g, '\\$&'))).join('\t')}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield text;
}

const CHUNK = 256 * 1024;

function serverValue(type: string, value: string): string {
  if (BYTES.test(type)) return `UNHEX(${value})`;
  return /^BIT/.test(type) ? `CAST(${value} AS UNSIGNED)` : value;
}

const BYTES = /BINARY|BLOB/;

/** Creates a DuckDB file with the tables of a schema, and loads their rows. */
export async function fillFile(file: string, { tables }: SampleSchema, size: number): Promise<void> {
  const folder = dirname(file);
  const database = await openEmbedded({ file, memoryLimit: '512MB', threads: 1, readers: 1, stagingDirectory: folder });
  const source = join(folder, 'rows.json');
  try {
    await database.maintain(async (connection) => {
      for (const table of tables) {
        const columns = Object.entries(table.columns);
        const types = columns.map(([name, type]) => `"${name}" ${fileType(type)}`);
        await connection.run(`CREATE TABLE ${table.name} (${types.join(', ')}, PRIMARY KEY (${table.key.join(', ')}))`);
        await writeFile(source, jsonOf(Object.keys(table.columns), rowsOf(table, size)));
        const read = columns.map(([name]) => `'${name}': 'VARCHAR'`);
        const values = columns.map(([name, type]) => (BYTES.test(type) ? `unhex("${name}")` : `"${name}"`));
        const rows = `read_json('${source}', format = 'newline_delimited', columns = {${read}})`;
        await connection.run(`INSERT INTO ${table.name} SELECT ${values} FROM ${rows}`);
      }
    });
  } finally {
    await database.close();
    await rm(source, { force: true });
  }
}

function* jsonOf(names: readonly string[], rows: Iterable<readonly Value[]>): Generator<string> {
  for (const row of rows) {
    const cells = row.map((value, index) => [names[index], value === null ? null : String(value)]);
    yield `${JSON.stringify(Object.fromEntries(cells))}\n`;
  }
}

/** Returns the type that the author of a DuckDB file chooses for a MySQL type. */
function fileType(written: string): string {
  const type = written.replace(/ (NOT NULL|NULL|COLLATE|CHARACTER SET|DEFAULT|COMMENT).*$/s, '');
  const isRequired = written.includes(' NOT NULL');
  return `${plainType(type)}${isRequired ? ' NOT NULL' : ''}`;
}

function plainType(type: string): string {
  const [, name = '', inside = '', sign = ''] = /^(\w+)(\(.*\))?( UNSIGNED)?$/s.exec(type) ?? [];
  if (name === 'ENUM' || name === 'DECIMAL') return name + inside;
  const found = FILE_TYPES[name];
  if (found === undefined) throw new Error(`no type of DuckDB for ${type}`);
  return sign === '' ? found : `U${found}`;
}

const FILE_TYPES: Readonly<Record<string, string>> = {
  ...{
    TINYINT: 'TINYINT',
    BOOLEAN: 'BOOLEAN',
    SMALLINT: 'SMALLINT',
    MEDIUMINT: 'INTEGER',
    INT: 'INTEGER',
    BIGINT: 'BIGINT',
  },
  ...{ FLOAT: 'FLOAT', DOUBLE: 'DOUBLE', BIT: 'UBIGINT', YEAR: 'SMALLINT' },
  ...{ DATE: 'DATE', DATETIME: 'TIMESTAMP', TIMESTAMP: 'TIMESTAMP', TIME: 'TIME', JSON: 'JSON' },
  ...{ CHAR: 'VARCHAR', VARCHAR: 'VARCHAR', SET: 'VARCHAR' },
  ...{ TINYTEXT: 'VARCHAR', TEXT: 'VARCHAR', MEDIUMTEXT: 'VARCHAR', LONGTEXT: 'VARCHAR' },
  ...{ BINARY: 'BLOB', VARBINARY: 'BLOB', TINYBLOB: 'BLOB', BLOB: 'BLOB', MEDIUMBLOB: 'BLOB', LONGBLOB: 'BLOB' },
};

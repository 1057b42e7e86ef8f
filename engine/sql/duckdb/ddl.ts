import { type Fields, formatKind, type Node, nameOf, part, parts, toNode } from '../reading/tree.js';
import { translator } from './expression.js';
import { quoteIdentifier, reject, requireOnlyFields } from './tree/translator.js';

/** Selects the keys and indexes that a translated statement creates. */
export interface KeyChoice {
  /**
   * Whether to create the PRIMARY KEY and UNIQUE constraints of a table. DuckDB must maintain these keys for each new
   * row, which makes a large load slow.
   */
  readonly keepKeys: (table: string) => boolean;
  /** Whether to create an index of a table. Default: the same as `keepKeys`. */
  readonly keepIndex?: (table: string, index: string) => boolean;
}

/** Writes the DuckDB statements for one MySQL statement that creates, changes or drops a table or an index. */
export function writeDdl(node: Node, choice: KeyChoice): readonly string[] {
  switch (node.kind) {
    case 'create_table':
      return writeCreateTable(node.fields, choice);
    case 'create_index':
      return writeCreateIndex(node.fields, choice);
    case 'alter_table':
      return writeAlterTable(node.fields);
    case 'drop_table':
      return parts(node.fields, 'names').map(
        (name) => `DROP TABLE ${writeIfExists(node.fields)}${quoteIdentifier(name.name)}`,
      );
    case 'drop_index':
      return writeDropIndex(node.fields, choice);
    default:
      return reject(formatKind(node.kind), 'Known: CREATE TABLE, CREATE INDEX, ALTER TABLE, DROP TABLE, DROP INDEX.');
  }
}

function writeCreateTable(fields: Fields, choice: KeyChoice): readonly string[] {
  requireOnlyFields('create table', fields, ['columns', 'constraints', 'if_not_exists', 'mysql_table_options']);
  const table = tableName(fields.name);
  const keep = choice.keepKeys(table);
  const columns = parts(fields, 'columns');
  if (columns.length === 0) reject('CREATE TABLE without columns');
  const keys = parts(fields, 'constraints').map((constraint) => writeKey(constraint, table, choice));
  const inside = [
    ...columns.map((column) => writeColumn(column, keep)),
    ...(keep ? keys.flatMap(({ constraint }) => constraint ?? []) : []),
  ];
  const exists = fields.if_not_exists === true ? 'IF NOT EXISTS ' : '';
  const indexes = keys.flatMap(({ index }) => index ?? []);
  return [`CREATE TABLE ${exists}${quoteIdentifier({ name: table })} (\n  ${inside.join(',\n  ')}\n)`, ...indexes];
}

/** Returns the name of a table without its database. */
export function tableName(table: unknown): string {
  return nameOf((table as { name: unknown }).name);
}

function writeColumn(column: Fields, keepKeys: boolean): string {
  if (column.auto_increment === true)
    reject('AUTO_INCREMENT', 'Assign the number in the program that inserts the row.');
  requireOnlyFields('column', column, COLUMN_FIELDS);
  for (const constraint of parts(column, 'constraints')) {
    const [kind = ''] = Object.keys(constraint);
    if (kind !== 'Comment' && kind !== 'Collate') reject(`${formatKind(kind)} of the column ${nameOf(column.name)}`);
  }
  const isKey = column.primary_key === true;
  const words = [
    quoteIdentifier(column.name),
    columnType(column),
    column.nullable === false || isKey ? 'NOT NULL' : '',
    column.default === null || column.default === undefined ? '' : `DEFAULT ${writeDefault(column)}`,
    keepKeys && isKey ? 'PRIMARY KEY' : '',
    keepKeys && column.unique === true ? 'UNIQUE' : '',
  ];
  return words.filter((word) => word !== '').join(' ');
}

const COLUMN_FIELDS = [
  'data_type',
  'nullable',
  'default',
  'primary_key',
  'unique',
  'comment',
  'constraints',
  'constraint_order',
  'character_set',
  'unsigned',
];

function writeDefault(column: Fields): string {
  const [[kind, fields] = ['', {}]] = Object.entries(column.default as Record<string, unknown>);
  return translator.value({ kind, fields: (fields ?? {}) as Fields });
}

/** Returns the DuckDB type of a column. */
export function columnType(column: Fields): string {
  const type = column.data_type as { data_type: string; name?: string; precision?: number; scale?: number };
  const written = type.data_type === 'custom' ? String(type.name).toLowerCase() : type.data_type;
  const name = /^[a-z_]+/.exec(written)?.[0] ?? '';
  if (name === 'decimal') return `DECIMAL(${type.precision ?? 10}, ${type.scale ?? 0})`;
  const known = TYPES[name] ?? reject(`The type ${written.toUpperCase()} of the column ${nameOf(column.name)}`);
  return column.unsigned === true ? (UNSIGNED[known] ?? known) : known;
}

/**
 * The DuckDB type for each type name of the parser. Length limits of text types are omitted, because DuckDB does not
 * check them.
 */
const TYPES: Readonly<Record<string, string>> = {
  boolean: 'TINYINT',
  tiny_int: 'TINYINT',
  small_int: 'SMALLINT',
  mediumint: 'INTEGER',
  int: 'INTEGER',
  big_int: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  char: 'VARCHAR',
  var_char: 'VARCHAR',
  tinytext: 'VARCHAR',
  text: 'VARCHAR',
  mediumtext: 'VARCHAR',
  longtext: 'VARCHAR',
  enum: 'VARCHAR',
  json: 'JSON',
  blob: 'BLOB',
  longblob: 'BLOB',
  mediumblob: 'BLOB',
  binary: 'BLOB',
  var_binary: 'BLOB',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  timestamp: 'TIMESTAMP',
  time: 'TIME',
  year: 'SMALLINT',
};

const UNSIGNED: Readonly<Record<string, string>> = {
  TINYINT: 'UTINYINT',
  SMALLINT: 'USMALLINT',
  INTEGER: 'UINTEGER',
  BIGINT: 'UBIGINT',
};

/** Writes a key of CREATE TABLE: a unique key as a constraint, any other key as a separate index. */
function writeKey(
  constraint: Fields,
  table: string,
  choice: KeyChoice,
): { readonly constraint?: string; readonly index?: readonly string[] } {
  const [[kind, detail] = ['', {}]] = Object.entries(constraint as Record<string, Fields>);
  const columns = parts(detail, 'columns').map(quoteIdentifier).join(', ');
  if (kind === 'PrimaryKey') return { constraint: `PRIMARY KEY (${columns})` };
  if (kind === 'Unique' || (kind === 'Index' && detail.kind === 'UNIQUE' && columns !== '')) {
    return { constraint: `UNIQUE (${columns})` };
  }
  if (kind !== 'Index' || (detail.kind !== null && detail.kind !== undefined)) {
    return reject(`${formatKind(String(detail.kind ?? kind))} in CREATE TABLE ${table}`);
  }
  return { index: writeIndexes(detail, table, false, choice) };
}

function writeIndexes(detail: Fields, table: string, unique: boolean, choice: KeyChoice): readonly string[] {
  const columns = parts(detail, 'columns').map((column) =>
    quoteIdentifier('column' in column ? column.column : column),
  );
  const expressions = parts(detail, 'key_parts').map((keyPart) => writeKeyPart(keyPart));
  const all = [...columns, ...expressions];
  const given = part(detail, 'name');
  const name = given === undefined ? all.join('_').replace(/\W+/g, '_') : nameOf(given);
  if (!isKept(table, name, choice)) return [];
  const words = `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteIdentifier({ name: indexName(table, name) })}`;
  return [`${words} ON ${quoteIdentifier({ name: table })} (${all.join(', ')})`];
}

function isKept(table: string, index: string, { keepKeys, keepIndex = keepKeys }: KeyChoice): boolean {
  return keepIndex(table, index);
}

/**
 * Adds the name of the table to the name of an index. In DuckDB, unlike in MySQL, the indexes of two tables cannot have
 * the same name.
 */
function indexName(table: string, name: string): string {
  return `${table}_${name}`.toLowerCase();
}

/** Writes a column of an index. Rejects an expression, which MariaDB does not allow in an index. */
function writeKeyPart(keyPart: Fields): string {
  const node = toNode(keyPart.expression);
  return node.kind === 'identifier' ? quoteIdentifier(node.fields) : reject('An index on an expression');
}

function writeCreateIndex(fields: Fields, choice: KeyChoice): readonly string[] {
  requireOnlyFields('create index', fields, ['table', 'columns', 'key_parts', 'unique']);
  return writeIndexes(fields, tableName(fields.table), fields.unique === true, choice);
}

function writeAlterTable(fields: Fields): readonly string[] {
  requireOnlyFields('alter table', fields, ['actions']);
  const table = quoteIdentifier((fields.name as { name: unknown }).name);
  return parts(fields, 'actions').flatMap((action) => {
    const [[kind, detail] = ['', {}]] = Object.entries(action as Record<string, Fields>);
    if (kind === 'DropColumn') return [`ALTER TABLE ${table} DROP COLUMN ${quoteIdentifier(detail.name)}`];
    if (kind === 'Raw') return writeAllowNull(table, action);
    if (kind !== 'AddColumn') return reject(`${formatKind(kind)} in ALTER TABLE`, KNOWN_CHANGES);
    // DuckDB cannot add a NOT NULL column to a table with an index. The new column allows NULL, and its default fills
    // the existing rows.
    const column = { ...part(detail, 'column'), nullable: null };
    return [`ALTER TABLE ${table} ADD COLUMN ${writeColumn(column, false)}`];
  });
}

const KNOWN_CHANGES = 'Known: ADD COLUMN, DROP COLUMN, and MODIFY COLUMN of a name and its type.';

/**
 * Translates MODIFY COLUMN with a name and a type, which the parser returns as one text. The type must be the current
 * type of the column. As in MySQL, the column then allows NULL and has no default.
 */
function writeAllowNull(table: string, action: Fields): readonly string[] {
  const name = modifiedColumn(action) ?? reject(`${part(action, 'Raw')?.sql} in ALTER TABLE`, KNOWN_CHANGES);
  const column = `ALTER TABLE ${table} ALTER COLUMN ${quoteIdentifier({ name })}`;
  return [`${column} DROP NOT NULL`, `${column} DROP DEFAULT`];
}

/** Returns the name of the column in MODIFY COLUMN with a name and a type; undefined for any other action of ALTER TABLE. */
export function modifiedColumn(action: Fields): string | undefined {
  return /^MODIFY COLUMN (\w+) \w+(?:\(\d+\))?$/.exec(String(part(action, 'Raw')?.sql))?.[1];
}

function writeDropIndex(fields: Fields, choice: KeyChoice): readonly string[] {
  const name = nameOf((fields.name as { name: unknown }).name);
  const table = tableName(fields.table);
  if (!isKept(table, name, choice)) return [];
  return [`DROP INDEX ${writeIfExists(fields)}${quoteIdentifier({ name: indexName(table, name) })}`];
}

function writeIfExists(fields: Fields): string {
  return fields.if_exists === true ? 'IF EXISTS ' : '';
}

import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { dump } from 'js-yaml';
import { didYouMean, type Problem } from '../../engine/index.js';
import { RESERVED_WORDS } from '../../engine/sql/reading/reserved-words.js';
import { type LocatedValue, readLocated, schemaProblem } from '../located-list.js';
import { SOURCE_FOLDER } from '../rules/data-files.js';
import { readColumnType } from './column-type.js';
import { documentError, OwnTableError } from './own-table-name.js';

/** A column of an own table. */
export interface OwnColumn {
  /** The type as in the documentation file, such as `VARCHAR(40)`. */
  readonly type: string;
  readonly description: string;
  readonly unit?: string;
  /** Default false. */
  readonly nullable?: boolean;
}

/** The documentation of an own table: the content of `own.table.yaml`. */
export interface TableDocument {
  readonly description: string;
  /** The columns by name, in the order of the table. */
  readonly columns: Readonly<Record<string, OwnColumn>>;
  readonly key?: readonly string[];
}

/** The path of the documentation file next to a file with rows. */
export function documentPath(file: string): string {
  return `${file.replace(/\.[^./]*$/, '')}.table.yaml`;
}

/** Reads the documentation file; undefined if it does not exist. Throws `OwnTableError` with all problems. */
export async function readTableDocument(path: string): Promise<TableDocument | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseTableDocument(path, text);
}

/** Parses the text of a documentation file. `file` is for messages. Throws `OwnTableError` with all problems. */
export function parseTableDocument(file: string, text: string): TableDocument {
  const located = readLocated(file, text);
  if (!('value' in located)) throw documentError([located]);
  const { value } = located;
  if (!isTableDocument(value)) {
    // An error of `propertyNames` only repeats the error for the name itself.
    const errors = (isTableDocument.errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames');
    throw documentError(errors.map((error) => shapeProblem(located, error)));
  }
  const problems = [...findColumnProblems(located, value), ...findKeyProblems(located, value)];
  if (problems.length > 0) throw documentError(problems);
  return value;
}

const SCHEMA = JSON.parse(readFileSync(join(SOURCE_FOLDER, 'schemas/table.schema.json'), 'utf8')) as object;
const isTableDocument = new Ajv({ allErrors: true, verbose: true }).compile<TableDocument>(SCHEMA);

const TYPES = 'BOOLEAN, TINYINT, INT, BIGINT, DOUBLE, DECIMAL(p,s), VARCHAR(n), TEXT, DATE or DATETIME';

function shapeProblem(located: LocatedValue, error: ErrorObject): Problem {
  const { propertyName, instancePath, keyword, data } = error;
  if (propertyName !== undefined) {
    const facts = { expected: NAME_RULE, got: JSON.stringify(propertyName) };
    return located.problem(`${instancePath}/${propertyName}`, 'invalid name of a column', facts);
  }
  if (keyword !== 'pattern') return schemaProblem(located, error);
  return located.problem(instancePath, 'unknown type', { expected: TYPES, got: JSON.stringify(data) });
}

const NAME_RULE = 'at most 64 small letters, digits and _, the first a letter';

/** Returns a message if this is not a valid column name; undefined otherwise. */
export function findNameProblem(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    return `invalid name of a column: expected ${NAME_RULE}, got ${JSON.stringify(name)}`;
  }
  const isReserved = RESERVED_WORDS.has(name.toUpperCase());
  return isReserved ? `${name} is a reserved word of SQL: rename the column, for example to ${name}_value` : undefined;
}

function findColumnProblems(located: LocatedValue, { columns }: TableDocument): Problem[] {
  const problems = Object.entries(columns).flatMap(([name, { type }]) => {
    const message = findNameProblem(name);
    if (message !== undefined) return [located.problem(`/columns/${name}`, message)];
    if (readColumnType(type) !== undefined) return [];
    const expected = 'VARCHAR of at most 16000 characters, DECIMAL of at most 38 digits and 30 decimals';
    return [located.problem(`/columns/${name}/type`, 'the size of the type is out of range', { expected, got: type })];
  });
  const bytes = Object.values(columns).reduce((sum, { type }) => sum + (readColumnType(type)?.rowBytes ?? 0), 0);
  if (bytes <= MAX_ROW_BYTES) return problems;
  const expected = `types of at most ${MAX_ROW_BYTES} bytes in total, with 4 bytes per character of VARCHAR`;
  const facts = { expected, got: `${bytes} bytes` };
  return [...problems, located.problem('/columns', 'the columns are too long for a server; use TEXT', facts)];
}

/** A row on a server has at most 65,535 bytes. The limit leaves some bytes for NULL flags. */
const MAX_ROW_BYTES = 65_000;
/** The maximum size of a key in InnoDB. */
const MAX_KEY_BYTES = 3_072;

function findKeyProblems(located: LocatedValue, { key = [], columns }: TableDocument): Problem[] {
  const problems = key.flatMap((name, index) => {
    const problem = (message: string) => [located.problem(`/key/${index}`, message)];
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (column === undefined) return problem(`unknown column ${name}${didYouMean(name, Object.keys(columns))}`);
    if (column.nullable) return problem(`${name} is nullable, but a column of the key must not be`);
    const type = readColumnType(column.type);
    const isLong = type !== undefined && type.keyBytes === undefined;
    return isLong ? problem(`${name} is ${column.type}, which cannot be in a key; use VARCHAR(n) or DECIMAL(p,s)`) : [];
  });
  const bytes = key.reduce((sum, name) => sum + (readColumnType(columns[name]?.type ?? '')?.keyBytes ?? 0), 0);
  if (problems.length > 0 || bytes <= MAX_KEY_BYTES) return problems;
  const facts = { expected: `at most ${MAX_KEY_BYTES} bytes, with 4 bytes per character`, got: `${bytes} bytes` };
  return [located.problem('/key', 'the key is too long', facts)];
}

/**
 * Writes the documentation file of an own table, for the author to complete, and returns its path. Never overwrites a file. Throws
 * `OwnTableError`.
 */
export async function writeTableDocument(file: string, describe: () => Promise<TableDocument>): Promise<string> {
  const path = documentPath(file);
  const { columns } = await describe();
  const described = Object.entries(columns).map(([name, { type, nullable }]) => {
    const facts = { type, description: '' };
    return [name, nullable ? { ...facts, nullable } : facts] as const;
  });
  const document = { description: '', columns: Object.fromEntries(described) };
  await writeFile(path, `${HEAD}${dump(document)}${TAIL}`, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new OwnTableError(`${path} exists. Change it, or remove it first.`);
  });
  return path;
}

const HEAD =
  '# The documentation of an own table (docs/own-tables.md). The types are those of the values: check them.\n' +
  '# Write what a row is, where the data come from, and what each column means.\n';
const TAIL = '# key: [columns that identify a row]\n';

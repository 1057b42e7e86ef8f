import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import {
  type AuthorText,
  maskClock,
  type ProposedDefinition,
  proposeFromSelect,
  readDefinitionText,
  type TableMeanings,
  type TakenNames,
  type Verification,
  writeDefinitionText,
} from '../../../../engine/authoring/index.js';
import { PACKAGE_ROOT } from '../../../../engine/http/package-root.js';
import { type Database, type Endpoint, formatProblem, formatWarning, type Warning } from '../../../../engine/index.js';
import { newPathPrefix, ownFolder } from '../../../../server/settings/definition-folders.js';
import { privateDataOf, scopeOf } from '../../../../server/settings/definitions.js';
import { makeFolder } from '../../../../server/settings/make-folder.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import { readVersioned } from '../known-tables.js';
import { replaceFile, shortPath } from '../replace-file.js';
import { findRejection, verifyAlone } from '../verify/verify-alone.js';
import { findTestedWarnings } from '../verify/warnings.js';
import { withDatabase } from '../with-engine.js';
import { describeQuery } from './describe-query.js';
import { type NewOptions, readChoices } from './new-options.js';
import { readMeanings } from './read-meanings.js';
import { readTakenNames, requireFree } from './taken-names.js';

/** Writes a definition from a SELECT or a table, and prints the results of checking and testing it. */
export async function createDefinition(context: CommandContext, options: NewOptions): Promise<void> {
  const created = await withDatabase(context, options.databaseUrl, (database) => create(context, options, database));
  printCreated(context, created, options);
  context.exitCode = created.verification.ok ? 0 : 1;
}

async function create(context: CommandContext, options: NewOptions, database: Database): Promise<Created> {
  const { settings, cwd, signal } = context;
  const tables = await readMeanings(settings, database, signal);
  const author = await readAuthorText(context, options, tables);
  const chosen = options.out === undefined ? undefined : resolve(cwd, options.out);
  const taken = await readTakenNames(settings, chosen);
  requireFree(options, taken);
  const proposed = await propose(author, { database, tables, taken, options, signal, settings });
  const file = chosen ?? join(ownFolder(settings), `${proposed.name}.yaml`);
  if (!/\.ya?ml$/i.test(file) || /\.shared\.ya?ml$/i.test(file))
    throw new Error(`--out: expected a file name that ends with .yaml, got ${shortPath(cwd, file)}.`);
  if (existsSync(file) && options.force !== true && options.dryRun !== true)
    throw new Error(`${shortPath(cwd, file)} exists already: use another --name or --out, or --force to overwrite it.`);
  const text = await writeDefinitionText(proposed.definition, schemaFor(file));
  const endpoint = await requireValid(settings, shortPath(cwd, file), text);
  const verification = await verify(context, endpoint, database);
  const warnings = await findTestedWarnings(context, database, { endpoint, verification });
  if (options.dryRun !== true) {
    await makeFolder(dirname(file), options.out === undefined ? 'ENDPOINTS_DIR' : '--out');
    await replaceFile(file, text);
  }
  return { file: shortPath(cwd, file), text, notes: proposed.notes, endpoint, verification, warnings };
}

interface Proposing {
  readonly database: Database;
  readonly tables: TableMeanings;
  readonly taken: TakenNames;
  readonly options: NewOptions;
  readonly signal: AbortSignal;
}

async function propose(
  author: AuthorText,
  parts: Proposing & Pick<CommandContext, 'settings'>,
): Promise<ProposedDefinition> {
  const { database, tables, taken, options, signal, settings } = parts;
  const { name, path, summary } = options;
  return proposeFromSelect(author, {
    tables,
    taken,
    choices: readChoices(options),
    prefix: newPathPrefix(settings),
    privateData: privateDataOf(settings),
    isVersioned: (await readVersioned(settings)).isVersioned,
    describe: (sql, { tables: read, problem }) =>
      describeQuery(database, maskClock(sql), { read, tables, limits: { timeoutMs: DESCRIBE_MS, signal }, problem }),
    ...(name !== undefined && { name }),
    ...(path !== undefined && { path }),
    ...(summary !== undefined && { summary }),
  });
}

const DESCRIBE_MS = 30_000;

/** For a file in this package, returns the relative path from its folder to the JSON Schema; undefined for other files. */
function schemaFor(file: string): string | undefined {
  if (!file.startsWith(PACKAGE_ROOT)) return undefined;
  return relative(dirname(file), `${PACKAGE_ROOT}schemas/endpoint.schema.json`).split(sep).join('/');
}

/** Checks the text of the definition. Problems can only come from the options: name, path and parameter names. */
async function requireValid(settings: CommandContext['settings'], file: string, text: string): Promise<Endpoint> {
  const read = await readDefinitionText(file, text, scopeOf(settings));
  if ('problems' in read)
    throw new Error(`The definition would be invalid:\n${read.problems.map(formatProblem).join('\n')}`);
  return read.endpoint;
}

async function verify(context: CommandContext, endpoint: Endpoint, database: Database): Promise<Verification> {
  const [problem] = findRejection(endpoint, database)?.problems ?? [];
  if (problem !== undefined) throw new Error(formatProblem(problem));
  return verifyAlone(context, endpoint, database);
}

/** Returns the SELECT from the options. For a table, it selects all columns and sorts the rows by a unique order. */
async function readAuthorText(
  { cwd, input }: Pick<CommandContext, 'cwd' | 'input'>,
  { sql, table = '' }: NewOptions,
  tables: TableMeanings,
): Promise<AuthorText> {
  if (sql === '-') {
    const text = await input();
    if (text.trim() === '') throw new Error('--sql -: expected a SELECT on the standard input, got nothing.');
    return { file: 'stdin', text: normalizeLines(text) };
  }
  if (sql !== undefined) return { file: sql, text: normalizeLines(await readSqlFile(cwd, sql)) };
  return { file: `--table ${table}`, text: await selectTable(table, tables) };
}

/** Removes a byte order mark and carriage returns, which editors on Windows add. */
function normalizeLines(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
}

async function readSqlFile(cwd: string, file: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new Error(`--sql ${file}: the file cannot be read: ${(error as Error).message}`);
  }
}

/** The number of rows per page in a definition for a table. */
const PAGE_ROWS = 30;

async function selectTable(table: string, tables: TableMeanings): Promise<string> {
  const { didYouMean, quoteName } = await import('../../../../engine/index.js');
  const meaning = tables.get(table.toLowerCase());
  if (meaning === undefined)
    throw new Error(
      `--table ${table}: the database has no such table that a definition can read${didYouMean(table, [...tables.keys()])}.`,
    );
  const nameOf = (column: string) => meaning.columns.get(column)?.name ?? column;
  const taken = new Set<string>();
  const columns = [...meaning.columns.keys()].map((column) => {
    const [name, output] = [quoteName(nameOf(column)), outputName(column, taken)];
    return nameOf(column) === output ? `  ${name}` : `  ${name} AS ${quoteName(output)}`;
  });
  const order = meaning.order.map((column) => quoteName(nameOf(column))).join(', ');
  return `SELECT\n${columns.join(',\n')}\nFROM ${quoteName(table)}\nORDER BY ${order}\nLIMIT ${PAGE_ROWS}\n`;
}

/** Returns a name that a definition can use for a column, such as `full_name` for `Full Name`, and adds it to the names that are taken. */
function outputName(column: string, taken: Set<string>): string {
  const plain = column
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9_]+/g, (part) => (/^\p{M}+$/u.test(part) ? '' : '_'))
    .replace(/^(?=[^a-z_])/, 'c_');
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`;
  taken.add(name);
  return name;
}

/** A new definition, which was written, or with `--dry-run` only printed. */
interface Created {
  readonly file: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly endpoint: Endpoint;
  readonly verification: Verification;
  readonly warnings: readonly Warning[];
}

/** Prints a new definition: its text or its file, the results of its test, its first rows and the next steps. */
function printCreated(context: CommandContext, created: Created, { dryRun, json }: NewOptions): void {
  const { output } = context;
  const { file, text, notes, endpoint, verification, warnings } = created;
  const url = urlOf(context, endpoint);
  if (json) {
    const { name } = endpoint.definition;
    output.json({
      name,
      file,
      isWritten: dryRun !== true,
      url,
      text,
      notes,
      warnings,
      ok: verification.ok,
      checks: verification.checks,
      rows: verification.rows,
    });
    return;
  }
  if (dryRun) output.print(text.trimEnd());
  else output.print(`wrote ${file}`);
  const print = (text: string) => (dryRun ? output.note(text) : output.print(text));
  for (const line of formatChecks(context, verification)) print(line);
  output.noteAboutTable(...rowsOf(verification));
  for (const warning of warnings) print(`${output.coloured('yellow', 'warning:')} ${formatWarning(warning)}`);
  for (const note of notes) output.note(note);
  if (dryRun) return;
  output.note(`Next: edit ${file}, then run \`endpoint test ${endpoint.definition.name}\`.`);
  output.note(`The service answers at ${url} after \`endpoint reload\`, or at once with \`serve --watch\`.`);
}

const SHOWN = 10;

function formatChecks({ output }: CommandContext, { ok, checks, rows }: Verification): string[] {
  const failed = checks.filter((check) => !check.ok);
  const word = ok ? output.coloured('green', 'ok') : output.coloured('red', 'failed');
  const failures = failed.slice(0, SHOWN).map(({ kind, name, expected, got }) => {
    return `  ${kind} ${name}${expected === undefined ? '' : `: expected ${expected}, got ${got}`}`;
  });
  const table =
    rows.length === 0 ? 'The values of the SELECT return no rows.' : output.formatTable(...rowsOf({ rows }));
  return [`${word}: ${plural(checks.length, 'check')}, ${failed.length} failed`, ...failures, table];
}

/** Returns the head and the rows of the table with the first rows. */
function rowsOf({ rows }: Pick<Verification, 'rows'>): [head: string[], rows: (string | number)[][]] {
  return [Object.keys(rows[0] ?? {}), rows.map((row) => Object.values(row))];
}

/** Returns the URL of the first example: on the service that runs the command, or else on the service in the settings. */
function urlOf({ settings, service }: CommandContext, { definition, parameters }: Endpoint): string {
  const values = definition.examples[0]?.params ?? {};
  const { name, path = `/q/${name}` } = definition;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(values[key] ?? parameters[key]?.example ?? '')),
  );
  return `${service?.url ?? `http://127.0.0.1:${settings.port}`}${filled}`;
}

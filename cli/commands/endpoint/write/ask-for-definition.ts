import { join } from 'node:path';
import {
  maskClock,
  nameColumns,
  type ProposedDefinition,
  proposeDefinition,
  readSelect,
  type TableMeanings,
  toKnownColumns,
} from '../../../../engine/authoring/index.js';
import { formatProblem, readOutline } from '../../../../engine/index.js';
import { newPathPrefix, ownFolder } from '../../../../server/settings/definition-folders.js';
import { referenceMeanings } from '../../../../warehouse/own-tables/table-meanings.js';
import type { Ask, CommandContext } from '../../../terminal/command-context.js';
import { type NewOptions, readChoices } from './new-options.js';
import { readTakenNames, requireFree, type TakenDefinitions } from './taken-names.js';

/**
 * Asks the user for the SELECT or the table, for each literal, and for name, path, summary and file. The function does not open the
 * database, because another process may have it open. The process that has the database open then runs the command with the answers.
 */
export async function askForDefinition(context: CommandContext, ask: Ask, options: NewOptions): Promise<NewOptions> {
  const { api } = context.settings;
  const tables = api === undefined ? await referenceMeanings() : new Map();
  const taken = await readTakenNames(context.settings, undefined);
  const text = await askForSelect(context, ask);
  const isTable = /^\w+$/.test(text);
  const parts = { text, tables, taken, prefix: newPathPrefix(context.settings) };
  const answers = isTable
    ? { ...options, table: text }
    : await askForNames(context, ask, await askForLiterals(ask, { ...options, sql: '-' }, parts), parts);
  context.elsewhere.words = toWords(answers);
  if (!isTable) context.elsewhere.input = text;
  return answers;
}

interface Parts {
  readonly text: string;
  readonly tables: TableMeanings;
  readonly taken: TakenDefinitions;
  readonly prefix: string;
}

/** Asks until the answer is a table name, or a SELECT without syntax errors. An empty line or a semicolon ends a SELECT. */
async function askForSelect({ output }: CommandContext, ask: Ask): Promise<string> {
  for (let question = 'SELECT (an empty line or ; ends it), or the name of a table:'; ; ) {
    const lines = [await ask(question, '')];
    while (!/^\s*\w*\s*$|;\s*$/.test(lines.at(-1) ?? '')) lines.push(await ask('…', ''));
    const text = lines.join('\n').trim();
    if (/^\w+$/.test(text)) return text;
    const read = readSelect('your SELECT', text);
    if ('select' in read) return read.select.sql;
    for (const problem of read.problems) output.error(formatProblem(problem));
    question = 'SELECT:';
  }
}

/** Asks for each literal in the SELECT whether it becomes a parameter. */
async function askForLiterals(ask: Ask, options: NewOptions, parts: Parts): Promise<NewOptions> {
  const named = [...options.param];
  const kept = [...options.keep];
  for (const { text, column, parameter, reason } of propose(options, parts).literals) {
    if ([...named.map((pair) => pair.slice(pair.indexOf('=') + 1)), ...kept].includes(text)) continue;
    const why = reason === undefined ? '' : `; proposed to stay: ${reason}`;
    const answer = await ask(
      `${text}${column === undefined ? '' : ` for ${column}`}: parameter, or - to keep it${why}`,
      parameter ?? '-',
    );
    if (answer === '-') kept.push(text);
    else named.push(`${answer}=${text}`);
  }
  return { ...options, param: named, keep: kept };
}

async function askForNames(context: CommandContext, ask: Ask, options: NewOptions, parts: Parts): Promise<NewOptions> {
  const { name: proposedName } = propose(options, parts);
  const name = options.name ?? (await ask('Name', proposedName));
  const { definition } = propose({ ...options, name }, parts);
  const path = options.path ?? (await ask('Path', String(definition.path)));
  const summary = options.summary ?? (await ask('Summary', String(definition.summary)));
  requireFree({ name, path }, parts.taken);
  const out = options.out ?? (await ask('File', join(ownFolder(context.settings), `${name}.yaml`)));
  return { ...options, name, path, summary, out };
}

/** Proposes a definition without a database. The types of the columns are not needed for that. */
function propose(options: NewOptions, { text, tables, taken, prefix }: Parts): ProposedDefinition {
  const sql = nameColumns(text, tables);
  const { outputs } = readOutline(maskClock(sql), toKnownColumns(tables));
  return proposeDefinition({
    sql,
    described: outputs.map(({ name }, index) => ({ name: name ?? `column_${index + 1}`, type: 'VARCHAR' })),
    tables,
    taken,
    choices: readChoices(options),
    prefix,
    ...(options.name !== undefined && { name: options.name }),
    ...(options.path !== undefined && { path: options.path }),
  });
}

/** Converts the options to the words of a command line. */
function toWords({ param, keep, ...options }: NewOptions): string[] {
  const flags: Readonly<Record<string, string>> = { dryRun: 'dry-run', databaseUrl: 'database-url' };
  const words = Object.entries(options).flatMap(([key, value]) => {
    const flag = `--${flags[key] ?? key}`;
    return value === true ? [flag] : typeof value === 'string' ? [`${flag}=${value}`] : [];
  });
  return [
    'endpoint',
    'new',
    ...words,
    ...param.map((pair) => `--param=${pair}`),
    ...keep.map((text) => `--keep=${text}`),
  ];
}

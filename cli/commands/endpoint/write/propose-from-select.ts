import {
  type Database,
  expandStar,
  formatProblem,
  maskClock,
  nameColumns,
  type Problem,
  type ProposedDefinition,
  proposeDefinition,
  readOutline,
  readSelect,
  type Select,
  type TableMeanings,
  type TakenNames,
  toKnownColumns,
  UnclearSelectError,
} from '../../../../engine/index.js';
import { PRIVATE_DATA } from '../../../../warehouse/rules/private-data.js';
import type { AuthorText } from './author-input.js';
import { describeQuery } from './describe-query.js';
import type { NewOptions } from './new-options.js';

export interface Proposing {
  readonly database: Database;
  readonly tables: TableMeanings;
  readonly taken: TakenNames;
  readonly options: NewOptions;
  readonly signal: AbortSignal;
}

/** Proposes a definition for the SELECT of an author. Throws an error with the places of all problems in the author's text. */
export async function proposeFromSelect(author: AuthorText, parts: Proposing): Promise<ProposedDefinition> {
  const { tables, taken, options } = parts;
  const written = requireSelect(author);
  const sql = await nameAllColumns(written, author, parts);
  // The changes do not move the author's lines, except those of `*`, which cannot contain private columns any more.
  const { select } = readText({ file: author.file, text: sql });
  const described = await describe(select, select.sql, parts);
  const repeated = described.find(({ name }, index) => described.findIndex((one) => one.name === name) !== index);
  if (repeated !== undefined)
    throw new Error(`${author.file}: the SELECT returns the column ${repeated.name} twice: add AS.`);
  return proposeDefinition({
    sql: select.sql,
    described,
    tables,
    taken,
    choices: readChoices(options),
    prefix: '/v1',
    ...(options.name !== undefined && { name: options.name }),
    ...(options.path !== undefined && { path: options.path }),
    ...(options.summary !== undefined && { summary: options.summary }),
  });
}

/** Converts the options to names for literals and literals that stay. */
export function readChoices({ param, keep }: Pick<NewOptions, 'param' | 'keep'>) {
  const named = param.map((pair) => {
    const place = pair.indexOf('=');
    return [pair.slice(0, place), pair.slice(place + 1)] as const;
  });
  return { named: new Map(named), kept: new Set(keep) };
}

/** Reads the SELECT without the rule for private data: `*` becomes the public columns before that rule applies. */
function requireSelect({ file, text }: AuthorText): Select {
  const read = readSelect(file, text);
  if ('problems' in read) throw problemsError(read.problems);
  return read.select;
}

function readText({ file, text }: AuthorText): { readonly select: Select } {
  const read = readSelect(file, text, PRIVATE_DATA);
  if ('problems' in read) throw problemsError(read.problems);
  return read;
}

async function nameAllColumns(select: Select, { text }: AuthorText, parts: Proposing): Promise<string> {
  const { tables } = parts;
  const outline = readOutline(maskClock(select.sql), toKnownColumns(tables));
  const hasStar = outline.outputs.some(({ isStar }) => isStar);
  const names = hasStar ? (await describe(select, select.sql, parts)).map(({ name }) => name) : [];
  try {
    const named = nameColumns(hasStar ? expandStar(select.sql, outline, tables, names) : select.sql, tables);
    return text.slice(0, text.indexOf(select.sql)) + named;
  } catch (error) {
    if (error instanceof UnclearSelectError) throw problemsError([select.problemAt(error.message, error.offset)]);
    throw error;
  }
}

function describe(select: Select, sql: string, { database, tables, signal }: Proposing) {
  const limits = { timeoutMs: DESCRIBE_MS, signal };
  const problem = (message: string) => select.problem(message);
  return describeQuery(database, maskClock(sql), { read: select.tables, tables, limits, problem });
}

const DESCRIBE_MS = 30_000;

function problemsError(problems: readonly Problem[]): Error {
  return new Error(problems.map(formatProblem).join('\n'));
}

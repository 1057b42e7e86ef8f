import type { DescribedColumn } from '../../databases/interface/database.js';
import { formatProblem, type Problem } from '../../definitions/problem.js';
import { readOutline } from '../../sql/outline/query-outline.js';
import type { PrivateData } from '../../sql/reading/private-data.js';
import { expandStar, nameColumns, UnclearSelectError } from './edit-select.js';
import { type DefinitionInput, type ProposedDefinition, proposeDefinition } from './propose-definition.js';
import { maskClock, readSelect, type Select } from './read-select.js';
import { toKnownColumns } from './table-meaning.js';

/** The text of a SELECT, and its name in messages. */
export interface AuthorText {
  readonly file: string;
  readonly text: string;
}

export interface SelectProposal extends Omit<DefinitionInput, 'sql' | 'described' | 'reads'> {
  readonly privateData: PrivateData;
  /** Whether the service notices changes of a table. Absent if it notices those of all tables. */
  readonly isVersioned?: (table: string) => boolean;
  /** Returns the columns of `sql`, which was derived from the SELECT. */
  readonly describe: (sql: string, select: Select) => Promise<readonly DescribedColumn[]>;
}

/** Thrown for a SELECT from which no definition can be proposed. The problems have positions in the author's text. */
export class SelectProblemsError extends Error {
  override readonly name = 'SelectProblemsError';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
  }
}

/** Proposes a definition for the SELECT of an author. Throws `SelectProblemsError` and the errors of `describe`. */
export async function proposeFromSelect(author: AuthorText, parts: SelectProposal): Promise<ProposedDefinition> {
  const { privateData, describe, isVersioned = () => true, ...input } = parts;
  // Private data are not checked yet, because `*` is first replaced by the public columns.
  const written = requireSelect(author);
  const sql = await nameAllColumns(written, author, parts);
  // The changes do not move the author's lines, except the lines of `*`, which contain only public columns now.
  const select = requireSelect({ file: author.file, text: sql }, privateData);
  const described = await describe(select.sql, select);
  const repeated = described.find(({ name }, index) => described.findIndex((one) => one.name === name) !== index);
  if (repeated !== undefined)
    throw new SelectProblemsError([
      select.problemAt(`the SELECT returns the column ${repeated.name} twice: add AS`, 0),
    ]);
  const read = [...select.tables];
  const reads = { read, unversioned: read.filter((table) => !isVersioned(table)) };
  return proposeDefinition({ ...input, sql: select.sql, described, reads });
}

function requireSelect({ file, text }: AuthorText, privateData?: PrivateData): Select {
  const read = readSelect(file, text, privateData);
  if ('problems' in read) throw new SelectProblemsError(read.problems);
  return read.select;
}

async function nameAllColumns(select: Select, { text }: AuthorText, parts: SelectProposal): Promise<string> {
  const { tables, describe } = parts;
  const outline = readOutline(maskClock(select.sql), toKnownColumns(tables));
  const hasStar = outline.outputs.some(({ isStar }) => isStar);
  const names = hasStar ? (await describe(select.sql, select)).map(({ name }) => name) : [];
  try {
    const named = nameColumns(hasStar ? expandStar(select.sql, outline, tables, names) : select.sql, tables);
    return text.slice(0, text.indexOf(select.sql)) + named;
  } catch (error) {
    if (error instanceof UnclearSelectError)
      throw new SelectProblemsError([select.problemAt(error.message, error.offset)]);
    throw error;
  }
}

import type { DescribedColumn } from '../../databases/interface/database.js';
import { breakClauses } from '../../sql/outline/break-clauses.js';
import { type ComparedLiterals, findQueryLiterals, type LiteralLimit } from '../../sql/outline/compared-literals.js';
import { type QueryOutline, readOutline } from '../../sql/outline/query-outline.js';
import type { Origin } from './decide-literal.js';
import { applyChanges } from './edit-select.js';
import { type ProposedColumns, proposeColumns } from './propose-columns.js';
import { type ProposedFreshness, proposeFreshness, type ReadTables } from './propose-freshness.js';
import { proposeName, proposePath, proposeSummary, type TakenNames, toKebab } from './propose-name.js';
import {
  type LiteralChoices,
  type LiteralDecision,
  type ProposedParameter,
  proposeParameters,
  type TextChange,
} from './propose-parameters.js';
import { maskClock, usesSecond } from './read-select.js';
import { meaningOf, type TableMeanings, toKnownColumns } from './table-meaning.js';

export interface DefinitionInput {
  /** A valid SELECT whose columns all have different names. */
  readonly sql: string;
  readonly described: readonly DescribedColumn[];
  readonly tables: TableMeanings;
  readonly taken: TakenNames;
  readonly choices: LiteralChoices;
  /** The first segment of proposed paths, with a slash before it. */
  readonly prefix: string;
  readonly name?: string;
  readonly path?: string;
  readonly summary?: string;
  /** The tables that the SELECT reads. By default, they are read from the SELECT, and have versions. */
  readonly reads?: Pick<ReadTables, 'read' | 'unversioned'>;
}

export interface ProposedDefinition {
  readonly name: string;
  /** The content of the file, in the form of a definition file. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly literals: readonly LiteralDecision[];
  /** Notes for the author about the proposal, one sentence each. */
  readonly notes: readonly string[];
}

/** Proposes a definition for a SELECT. It needs no database, because `described` already contains the columns. */
export function proposeDefinition(input: DefinitionInput): ProposedDefinition {
  const { sql, tables } = input;
  const outline = readOutline(maskClock(sql), toKnownColumns(tables));
  const { compared, limit } = findQueryLiterals(maskClock(sql));
  const { named, kept } = input.choices;
  const isLimitKept = kept.has(LIMIT);
  const choices = { named, kept: new Set([...kept].filter((text) => text !== LIMIT)) };
  const originOf = (one: ComparedLiterals) => findOrigin(one, outline, tables);
  const proposed = proposeParameters({ compared, originOf, choices, path: input.path });
  const rows = proposeRows(isLimitKept ? undefined : limit, outline.hasOrder);
  const columns = proposeColumns(input.described, outline.outputs, tables);
  const text = applyChanges(sql, [...proposed.changes, ...rows.changes]).trimEnd();
  const name = input.name ?? proposeName(outline, tables, input.taken);
  // The aliases include the tables of a UNION or a subquery, which `outline.tables` does not contain.
  const { reads = { read: [...outline.tables, ...outline.aliases.values()], unversioned: [] } } = input;
  const freshness = proposeFreshness({ ...reads, tables, usesSecond: usesSecond(sql) });
  return {
    name,
    definition: writeKeys(input, outline, { name, text, parameters: proposed.parameters, columns, rows, freshness }),
    literals: proposed.decisions,
    notes: [
      ...proposed.decisions.flatMap(({ text: literal, reason }) =>
        reason === undefined ? [] : [`${literal} stays in the SQL: ${reason}.`],
      ),
      ...rows.notes,
      ...freshness.notes,
      ...listNote('nullable: true, because it is not known whether they can be NULL', columns.unknownNulls),
      ...listNote('described by their names only', columns.undescribed),
    ],
  };
}

/** The entry of `LiteralChoices.kept` with which a caller keeps the LIMIT of the SELECT. */
const LIMIT = 'LIMIT';

interface Proposals {
  readonly name: string;
  /** The SQL with placeholders for its parameters. */
  readonly text: string;
  readonly parameters: readonly ProposedParameter[];
  readonly columns: ProposedColumns;
  readonly rows: ProposedRows;
  readonly freshness: ProposedFreshness;
}

/** Returns the content of the definition file. */
function writeKeys(
  { path, summary, prefix, tables, taken }: DefinitionInput,
  outline: QueryOutline,
  { name, text, parameters, columns, rows, freshness }: Proposals,
): ProposedDefinition['definition'] {
  const inPath = parameters.filter(({ definition }) => definition.in === 'path').map((parameter) => parameter.name);
  const params = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.definition]));
  const values = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.value]));
  return {
    name,
    path: path ?? proposePath(toKebab(name), inPath, prefix, taken),
    summary: summary ?? proposeSummary(outline, tables),
    ...(parameters.length > 0 && { params }),
    ...rows.keys,
    columns: columns.columns,
    sql: `${breakClauses(text)}\n`,
    ...rows.limits,
    ...freshness.keys,
    examples: [{ name: 'the values of the SELECT', params: values }],
  };
}

function listNote(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`Columns ${what}: ${names.join(', ')}.`];
}

/** Finds the column of a comparison: by the alias of its table, otherwise in the first table with a column of this name. */
function findOrigin(
  { column }: ComparedLiterals,
  { tables: read, aliases }: QueryOutline,
  tables: TableMeanings,
): Origin | undefined {
  if (column === undefined) return undefined;
  const { table: alias, name } = column;
  const named = alias === undefined ? undefined : aliases.get(alias.toLowerCase());
  const candidates = named === undefined ? [...read, ...aliases.values()] : [named];
  const table = candidates.find((candidate) => meaningOf(tables, candidate, name) !== undefined);
  const meaning = table === undefined ? undefined : meaningOf(tables, table, name);
  return table === undefined || meaning === undefined ? undefined : { table, column: name, meaning };
}

/** The keys and changes that replace the LIMIT of a SELECT. */
interface ProposedRows {
  /** The key `pagination`, if callers can ask for more pages. */
  readonly keys: { readonly pagination?: { readonly default: number; readonly max: number } };
  /** The key `limits`, if the number of rows of the answer differs from the default. */
  readonly limits: { readonly limits?: { readonly rows: number } };
  readonly changes: readonly TextChange[];
  readonly notes: readonly string[];
}

/** The number of rows of an answer without `limits`. */
const DEFAULT_ROWS = 1000;
const MAX_ROWS = 100_000;

/** Replaces a LIMIT: by `pagination` if the rows are ordered, otherwise by `limits.rows`. */
function proposeRows(limit: LiteralLimit | undefined, hasOrder: boolean): ProposedRows {
  if (limit === undefined || limit.count < 1) return { keys: {}, limits: {}, changes: [], notes: [] };
  const { count, offset, start, end } = limit;
  const changes = [{ start, end, text: '' }];
  const skipped = offset === 0 ? [] : [`OFFSET ${offset} is removed: the first page starts with the first row.`];
  if (hasOrder && count <= DEFAULT_ROWS) {
    const pagination = { default: count, max: Math.max(count, Math.min(100, DEFAULT_ROWS)) };
    return {
      keys: { pagination },
      limits: {},
      changes,
      notes: [`LIMIT ${count} becomes pages of ${count} rows.`, ...skipped],
    };
  }
  const rows = Math.min(count, MAX_ROWS);
  const note = `LIMIT ${count} becomes limits.rows: ${rows}.`;
  return { keys: {}, limits: { limits: { rows } }, changes, notes: [note, ...skipped] };
}

import { findQueryLiterals } from '../../../sql/outline/compared-literals.js';
import { readOutline } from '../../../sql/outline/query-outline.js';
import type { DescribedColumn } from '../../interface/database.js';
import type { Origin } from './decide-literal.js';
import { applyChanges } from './edit-select.js';
import { proposeColumns } from './propose-columns.js';
import { proposeName, proposePath, proposeSummary, type TakenNames, toKebab } from './propose-name.js';
import { type LiteralChoices, proposeParameters } from './propose-parameters.js';
import { proposeRows } from './propose-rows.js';
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
}

export interface ProposedDefinition {
  readonly name: string;
  /** The content of the file, in the form of a definition file. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** What the author should know about the proposal, one sentence each. */
  readonly notes: readonly string[];
}

/** Proposes a definition for a SELECT. It needs no database: the columns are described before. */
export function proposeDefinition(input: DefinitionInput): ProposedDefinition {
  const { sql, tables, taken, choices } = input;
  const outline = readOutline(sql, toKnownColumns(tables));
  const { compared, limit } = findQueryLiterals(sql);
  const isLimitKept = choices.kept.has('LIMIT') || choices.kept.has('limit');
  const literalChoices = { ...choices, kept: new Set([...choices.kept].filter((text) => !/^limit$/i.test(text))) };
  const originOf = ({ column }: (typeof compared)[number]): Origin | undefined => {
    if (column === undefined) return undefined;
    const table = tableOf(sql, column, outline.tables, tables);
    const meaning = table === undefined ? undefined : meaningOf(tables, table, column.name);
    return table === undefined || meaning === undefined ? undefined : { table, column: column.name, meaning };
  };
  const proposed = proposeParameters({ compared, originOf, choices: literalChoices, path: input.path });
  const rows = proposeRows(isLimitKept ? undefined : limit, outline.hasOrder);
  const columns = proposeColumns(input.described, outline.outputs, tables);
  const { parameters } = proposed;
  const name = input.name ?? proposeName(outline, tables, taken);
  const inPath = parameters.filter(({ definition }) => definition.in === 'path').map((parameter) => parameter.name);
  const values = Object.fromEntries(parameters.map(({ name: parameter, value }) => [parameter, value]));
  const dataAsOf = dataAsOfOf(outline.tables, tables);
  const text = applyChanges(sql, [...proposed.changes, ...rows.changes]).trimEnd();
  return {
    name,
    definition: {
      name,
      path: input.path ?? proposePath(toKebab(name), inPath, input.prefix, taken),
      summary: input.summary ?? proposeSummary(outline, tables),
      ...(parameters.length > 0 && { params: Object.fromEntries(parameters.map((one) => [one.name, one.definition])) }),
      ...rows.keys,
      columns: columns.columns,
      sql: `${text}\n`,
      ...rows.limits,
      ...(dataAsOf !== undefined && { data_as_of: dataAsOf }),
      examples: [{ name: 'the values of the SELECT', params: values }],
    },
    notes: [
      ...proposed.kept.map(({ text: literal, reason }) => `${literal} stays in the SQL: ${reason}.`),
      ...rows.notes,
      ...listNote('nullable: true, because it is not known whether they can be NULL', columns.unknownNulls),
      ...listNote('described by their names only', columns.undescribed),
    ],
  };
}

function listNote(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`Columns ${what}: ${names.join(', ')}.`];
}

/** Finds the table of a compared column: by its alias in the text, else the first table that has the column. */
function tableOf(
  sql: string,
  { table: alias, name }: { readonly table: string | undefined; readonly name: string },
  read: readonly string[],
  tables: TableMeanings,
): string | undefined {
  const candidates = read.filter((table) => meaningOf(tables, table, name) !== undefined);
  if (alias === undefined) return candidates[0];
  const isAlias = (table: string) => new RegExp(`\\b${table}\\s+(?:AS\\s+)?\`?${alias}\\b`, 'i').test(sql);
  return candidates.find((table) => table === alias.toLowerCase() || isAlias(table)) ?? candidates[0];
}

/** Returns the SELECT of the time of the newest data, if all tables that know it agree, or the most general one of them. */
function dataAsOfOf(read: readonly string[], tables: TableMeanings): string | undefined {
  const known = [...new Set(read.flatMap((table) => tables.get(table)?.dataAsOf ?? []))];
  return known.sort((one, other) => one.length - other.length)[0];
}

import type { BoundValue } from '../../databases/interface/database.js';
import { EngineError } from '../../databases/interface/errors.js';
import { inspectQuery } from '../../sql/reading/sql-findings.js';
import { readStatement, sqlTokens } from '../../sql/reading/statement.js';
import { IGNORED_FIELDS, isFields, nameIn } from '../../sql/reading/tree.js';
import { type ColumnsOf, filterTables } from '../../sql/row-filter.js';
import type { DefinitionScope } from '../definition-scope.js';
import type { ClaimDefinitions, Principal } from '../principal.js';
import { parseTemplate } from '../template/template.js';
import type { Output } from '../template/template-output.js';
import { expandVariants, type Piece } from '../template/template-variants.js';
import { callerParameters, readCallerValues } from './caller-values.js';

/** A SELECT with the conditions of its tables, and the values of the placeholders that the conditions add. */
export interface FilteredSql {
  readonly sql: string;
  readonly outputs: readonly Output[];
}

/** The conditions on the rows of tables that every query obeys. */
export interface RowFilters {
  /** Adds the conditions to a SELECT that has `markers` placeholders. */
  apply(sql: string, markers: number, columnsOf?: ColumnsOf): FilteredSql;
  /** Whether one of these tables, also with a schema, has a condition. */
  restricts(tables: Iterable<string>): boolean;
  /** Returns the names of the values that the conditions of these tables bind, in the order of the conditions. */
  namesOf(tables: Iterable<string>): readonly string[];
  /** The conditions that do not depend on the caller. */
  readonly ofAllCallers: RowFilters;
  /** Returns the names of the columns that the condition of a table reads, in lower case; undefined for a table without one. */
  columnsOf(table: string): ReadonlySet<string> | undefined;
}

/** A SELECT that reads these tables, with `markers` placeholders. */
export interface UnfilteredSql {
  readonly sql: string;
  readonly tables: readonly string[];
  readonly markers: number;
  /** Returns the columns of a table that the SELECT or its condition reads. */
  readonly columnsOf: ColumnsOf;
}

/**
 * Restricts a SELECT to the rows of a caller. `values` are those of the placeholders that it adds. Throws `access_denied` if the caller does
 * not have a value that a condition binds, and an `UntranslatableSqlError` if not every reference to a table can be found.
 */
export function restrictRows(
  rowFilters: RowFilters,
  { sql, tables, markers, columnsOf }: UnfilteredSql,
  caller: Principal | undefined,
  claims: ClaimDefinitions,
): { readonly sql: string; readonly values: readonly BoundValue[] } {
  const names = rowFilters.namesOf(tables);
  if (names.length > 0 && caller === undefined)
    throw new EngineError('credential_missing', 'The rows of a table depend on the caller: send a credential.');
  const values = caller === undefined ? {} : readCallerValues(names, caller, claims);
  const filtered = rowFilters.apply(sql, markers, columnsOf);
  return { sql: filtered.sql, values: filtered.outputs.flatMap((output) => output.read(values, '')) };
}

/** Parses the conditions of a scope. Throws an Error that names the file of the table for a condition that is not valid. */
export function createRowFilters({ rowFilters, claims }: DefinitionScope): RowFilters | undefined {
  if (rowFilters === undefined || rowFilters.size === 0) return undefined;
  const parameters = callerParameters(claims);
  const parsed = new Map(
    [...rowFilters].map(([table, text]) => [table.toLowerCase(), parseCondition(table, text, parameters)]),
  );
  return filtersOf(parsed);
}

function filtersOf(parsed: ReadonlyMap<string, Condition>): RowFilters {
  const conditionsOf = (tables: Iterable<string>) =>
    [...tables].flatMap((table) => {
      const condition = parsed.get(table) ?? parsed.get(table.slice(table.lastIndexOf('.') + 1));
      return condition === undefined ? [] : [condition];
    });
  return {
    apply: (sql, markers, columnsOf) => {
      const outputs = new Map<string, Output>();
      const conditionOf = (table: string) => {
        const condition = parsed.get(table);
        return condition && writeCondition(condition.pieces, markers, outputs);
      };
      const filtered = filterTables(sql, conditionOf, columnsOf);
      return { sql: filtered, outputs: [...outputs.values()] };
    },
    restricts: (tables) => conditionsOf(tables).length > 0,
    namesOf: (tables) =>
      conditionsOf(tables)
        .flatMap(({ pieces }) => pieces)
        .flatMap((piece) => ('output' in piece ? (piece.output.parameter ?? []) : [])),
    get ofAllCallers() {
      const isOfAll = ({ pieces }: Condition) => pieces.every((piece) => !('output' in piece));
      return filtersOf(new Map([...parsed].filter(([, condition]) => isOfAll(condition))));
    },
    columnsOf: (table) => parsed.get(table)?.columns,
  };
}

/** Writes a condition. Equal values share a placeholder, also between conditions. */
function writeCondition(pieces: readonly Piece[], markers: number, outputs: Map<string, Output>): string {
  return pieces
    .map((piece) => {
      if ('text' in piece) return piece.text;
      const { output } = piece;
      outputs.set(output.key, outputs.get(output.key) ?? output);
      return `:p${markers + [...outputs.keys()].indexOf(output.key) + 1}`;
    })
    .join('');
}

type Parameters = ReturnType<typeof callerParameters>;

interface Condition {
  readonly pieces: readonly Piece[];
  /** The names of the columns that it reads, in lower case. */
  readonly columns: ReadonlySet<string>;
}

function parseCondition(table: string, text: string, parameters: Parameters): Condition {
  const fail = (message: string): never => {
    throw new Error(`tables/${table}: row_filter: ${message}`);
  };
  const template = parseTemplate(text.trim(), parameters);
  const [problem] = template.problems;
  if (problem !== undefined) fail(problem.message);
  if (template.nodes.some(({ kind }) => kind !== 'text' && kind !== 'output')) fail('it cannot contain {% %}');
  const [variant] = expandVariants(template, parameters).all;
  const pieces = variant?.pieces ?? [];
  if (pieces.some((piece) => 'output' in piece && piece.output.clock !== undefined))
    fail('it cannot depend on the time, because stored answers would be wrong later');
  const outputs = new Map<string, Output>();
  const written = writeCondition(pieces, 0, outputs);
  if (/--|#|\/\*/.test(written)) fail('it cannot contain comments');
  const isOpen = sqlTokens(written).some(({ depth }) => depth < 0);
  const reading = readStatement(`SELECT 1 FROM filtered WHERE (${written})`);
  if (isOpen) fail('expected one condition, such as tenant_id = {{ caller.claims.tenant }}');
  if ('message' in reading) fail(reading.message);
  const findings = 'tree' in reading ? inspectQuery(reading.tree) : undefined;
  const [rejection] = findings?.rejections ?? [];
  if (rejection !== undefined) fail(rejection.message);
  if (findings?.tables.size !== 1) fail('it cannot read other tables');
  if (findings?.bound.size !== outputs.size)
    fail('a {{ }} is not a value there, for example because it is inside of quotes');
  return { pieces, columns: 'tree' in reading ? findColumns(reading.tree) : new Set() };
}

/** Returns the names of the columns in a tree, in lower case. */
function findColumns(tree: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(tree)) for (const item of tree) findColumns(item, names);
  if (!isFields(tree)) return names;
  const name = isFields(tree.column) ? nameIn(tree.column.name) : undefined;
  if (name !== undefined) names.add(name.toLowerCase());
  for (const key in tree) if (!IGNORED_FIELDS.has(key)) findColumns(tree[key], names);
  return names;
}

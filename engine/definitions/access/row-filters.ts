import { inspectQuery } from '../../sql/reading/sql-findings.js';
import { readStatement, sqlTokens } from '../../sql/reading/statement.js';
import { filterTables } from '../../sql/row-filter.js';
import type { DefinitionScope } from '../definition-scope.js';
import { parseTemplate } from '../template/template.js';
import type { Output } from '../template/template-output.js';
import { expandVariants, type Piece } from '../template/template-variants.js';
import { callerParameters } from './caller-values.js';

/** A SELECT with the conditions of its tables, and the values of the placeholders that the conditions add. */
export interface FilteredSql {
  readonly sql: string;
  readonly outputs: readonly Output[];
}

/** The conditions on the rows of tables that every query obeys. */
export interface RowFilters {
  /** Adds the conditions to a SELECT that has `markers` placeholders. */
  apply(sql: string, markers: number): FilteredSql;
  /** Whether one of these tables, also with a schema, has a condition. */
  restricts(tables: Iterable<string>): boolean;
  /** Returns the names of the values that the conditions of these tables bind. */
  namesOf(tables: Iterable<string>): readonly string[];
}

/** Parses the conditions of a scope. Throws an Error that names the file of the table for a condition that is not valid. */
export function createRowFilters({ rowFilters, claims }: DefinitionScope): RowFilters | undefined {
  if (rowFilters === undefined || rowFilters.size === 0) return undefined;
  const parameters = callerParameters(claims);
  const parsed = new Map(
    [...rowFilters].map(([table, text]) => [table.toLowerCase(), parseCondition(table, text, parameters)]),
  );
  const conditionsOf = (tables: Iterable<string>) =>
    [...tables].flatMap((table) => {
      const pieces = parsed.get(table) ?? parsed.get(table.slice(table.lastIndexOf('.') + 1));
      return pieces === undefined ? [] : [pieces];
    });
  return {
    apply: (sql, markers) => {
      const outputs = new Map<string, Output>();
      const conditionOf = (table: string) => {
        const pieces = parsed.get(table);
        return pieces && writeCondition(pieces, markers, outputs);
      };
      const filtered = filterTables(sql, conditionOf);
      return { sql: filtered, outputs: [...outputs.values()] };
    },
    restricts: (tables) => conditionsOf(tables).length > 0,
    namesOf: (tables) =>
      conditionsOf(tables)
        .flat()
        .flatMap((piece) => ('output' in piece ? (piece.output.parameter ?? []) : [])),
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

function parseCondition(table: string, text: string, parameters: Parameters): readonly Piece[] {
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
  return pieces;
}

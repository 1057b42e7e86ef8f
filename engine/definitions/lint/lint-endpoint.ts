import { analyzeQuery } from '../../sql/analysis/analyze-query.js';
import { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { isWildcard, type SelectScope } from '../../sql/analysis/select-scope.js';
import type { TableFacts, ValueType } from '../../sql/analysis/table-facts.js';
import { qualifierOf } from '../../sql/analysis/tree-search.js';
import type { MarkerTypes } from '../../sql/analysis/value-type.js';
import { findToken, sqlTokens } from '../../sql/reading/statement.js';
import { isFields, toTree } from '../../sql/reading/tree.js';
import type { ItemDefinition, ParameterDefinition } from '../definition.js';
import { type Endpoint, type EndpointQuery, queriesOf } from '../endpoint/endpoint.js';
import { type TracedText, writeTraced } from '../query/traced-text.js';
import type { Output } from '../template/template-output.js';
import { findAggregates } from './aggregate-rules.js';
import { findUnboundedParameters } from './bounds-rule.js';
import { findComparisons } from './comparison-rules.js';
import { findConditions } from './condition-rules.js';
import { findRowCounts } from './count-rule.js';
import { findCrossJoins } from './cross-join-rule.js';
import { findDateFormats, findWeeks } from './date-rules.js';
import { findEnumValues } from './enum-rule.js';
import { findUngroupedColumns } from './grouping-rule.js';
import { findOptionalFilters, findRepeatedSums } from './join-rules.js';
import { findUnclearChildren } from './nest-rule.js';
import { findUnstableOrder } from './order-rule.js';
import type { Finding, LintedText, SelectRule } from './sql-rule.js';
import { findSubqueries } from './subquery-rules.js';
import { deduplicateWarnings, type Warning } from './warning.js';
import { findChosenRows, findLastValues } from './window-rules.js';

/**
 * Returns the warnings of a definition, except those that it silences. `tables` returns facts about the tables of the
 * database. Rules that need facts about a table skip unknown tables.
 */
export function lintEndpoint(endpoint: Endpoint, tables: TableFacts): Warning[] {
  const ofQueries = queriesOf(endpoint).flatMap((query) => lintQuery(endpoint, query, tables));
  return deduplicateWarnings(applySilences(endpoint, [...lintDefinition(endpoint), ...ofQueries]));
}

const SELECT_RULES: readonly SelectRule[] = [
  findUngroupedColumns,
  findWildcards,
  findComparisons,
  findConditions,
  findEnumValues,
  findSubqueries,
  findOptionalFilters,
  findRepeatedSums,
  findRowCounts,
  findCrossJoins,
  findAggregates,
  findLastValues,
  findChosenRows,
  findDateFormats,
  findWeeks,
  findUnboundedParameters,
  findUnclearChildren,
];

function lintQuery(endpoint: Endpoint, query: EndpointQuery, tables: TableFacts): Warning[] {
  return query.variants.flatMap((variant) => {
    const traced = writeTraced(variant.pieces, () => 1);
    const markers = markerTypes(endpoint, traced);
    const analysis = analyzeQuery(traced.sql, { tables, markers });
    if (analysis === undefined) return [];
    const outputOf = (marker: string) => traced.markers.find(({ name }) => name === marker)?.output;
    const text: LintedText = { endpoint, isMain: query === endpoint.query, analysis, markers, outputOf };
    const findings = [
      ...analysis.selects.flatMap((scope) => {
        const nodes = new ScopeNodes(scope);
        return SELECT_RULES.flatMap((rule) => rule(scope, text, nodes));
      }),
      // The rows of a materialized definition have the order of its key.
      ...(text.isMain && endpoint.definition.materialize === undefined ? findUnstableOrder(text) : []),
    ];
    return findings.map((finding) => placeFinding(endpoint, query, traced, finding));
  });
}

function placeFinding(
  { problem }: Endpoint,
  { key }: EndpointQuery,
  text: TracedText,
  { rule, at, parameter, message, fix }: Finding,
): Warning {
  if (parameter !== undefined) return { ...problem(['params', parameter], message, { at: 'key' }), rule, fix };
  const offset = text.templateOffset(offsetOf(at, text));
  return { ...problem(key.split('.'), message, { at: offset }), rule, fix };
}

/**
 * Removes the warnings that a definition silences, and adds a warning for each entry of `lint` that silences nothing.
 * An entry for a rule that depends on the database is always accepted.
 */
function applySilences({ definition, problem }: Endpoint, warnings: readonly Warning[]): Warning[] {
  const { lint } = definition;
  const unused = Object.keys(lint).filter(
    (name) => !DATABASE_RULES.has(name) && warnings.every(({ rule }) => rule !== name),
  );
  return [
    ...warnings.filter(({ rule }) => !Object.hasOwn(lint, rule)),
    ...unused.map(
      (name): Warning => ({
        ...problem(['lint', name], 'The definition has no warning of this rule', { at: 'key' }),
        rule: 'unused-lint',
        fix: 'remove the entry',
      }),
    ),
  ];
}

const DATABASE_RULES: ReadonlySet<string> = new Set(['full-scan', 'unknown-time-zone']);

/** Returns the offset in `text.sql` of the first character of a token or of a part of the syntax tree. */
function offsetOf(at: unknown, text: TracedText): number {
  if (typeof at === 'string') {
    return findToken(sqlTokens(text.sql), at)?.start ?? 0;
  }
  const [first] = startsIn(at, text).sort((one, other) => one - other);
  return first ?? 0;
}

/** Returns the known offsets in a part of the syntax tree. The parser provides them only for names; placeholders are found by name. */
function startsIn(part: unknown, text: TracedText): number[] {
  if (Array.isArray(part)) return part.flatMap((item) => startsIn(item, text));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === 'span' && typeof value?.start === 'number') return [value.start];
    if (key === 'parameter') return text.markers.find(({ name }) => name === value?.name)?.start ?? [];
    return startsIn(value, text);
  });
}

/** Finds mistakes that can be found without parsing the SQL. */
function lintDefinition({ definition, tables, problem }: Endpoint): Warning[] {
  if (definition.data_as_of !== undefined || tables.size === 0) return [];
  return [
    {
      ...problem(['sql'], 'Without data_as_of, the age of the data is unknown, which every answer states', {
        at: 'key',
      }),
      rule: 'no-data-as-of',
      fix: 'add the key data_as_of with a SELECT of the time of the newest fact',
    },
  ];
}

/** Returns the types of the values that the placeholders of a text bind. */
function markerTypes({ parameters }: Endpoint, { markers }: TracedText): MarkerTypes {
  const types = new Map(markers.map(({ name, output }) => [name, typeOfOutput(output, parameters)]));
  return (name) => types.get(name) ?? 'unknown';
}

function typeOfOutput(
  { parameter, constant, maxItems, sqlType, clock }: Output,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): ValueType {
  if (clock !== undefined) return sqlType === undefined ? 'text' : sqlType === 'DATE' ? 'date' : 'datetime';
  if (constant !== undefined) return 'text';
  const definition = parameter === undefined ? undefined : parameters[parameter];
  if (definition === undefined) return 'unknown';
  if (definition.type !== 'array') return typeOfParameter(definition);
  // The filter `size` converts a list to a number.
  return maxItems === undefined ? 'number' : typeOfParameter(definition.items);
}

function typeOfParameter(definition: ParameterDefinition | ItemDefinition | undefined): ValueType {
  if (definition === undefined) return 'unknown';
  const { type, format, enum: values } = definition;
  if (type !== 'string') return 'number';
  if (format === 'date') return 'date';
  // The type counts as unknown, because databases convert texts such as '1' or '2024-01-01' without loss.
  return values?.every((value) => /^[\d.-]+$/.test(String(value))) === true ? 'unknown' : 'text';
}

/** Finds `*` in the select list of the answer, and `*` of tables in other SELECTs. `*` of a WITH query has listed columns. */
function findWildcards(scope: SelectScope, { isMain }: LintedText): Finding[] {
  if (scope.isExistence) return [];
  const wildcards = scope.outputs.filter(({ node }) => isWildcard(node));
  return wildcards.slice(0, 1).flatMap(({ node }) => {
    const alias = isFields(node.fields.table) ? qualifierOf(node) : undefined;
    const sources = scope.sources.filter((source) => alias === undefined || source.alias === alias);
    if (!(isMain && scope.isOutermost) && sources.every(({ table }) => table === undefined)) return [];
    return [
      {
        rule: 'select-all-columns',
        at: alias === undefined ? '*' : toTree(node),
        message: 'A column that is added to a table, removed from it or moved changes the result of *',
        fix: 'name the columns',
      },
    ];
  });
}

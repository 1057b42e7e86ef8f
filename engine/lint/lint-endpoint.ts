import { analyzeQuery } from '../../sql/analysis/analyze-query.js';
import type { TableFacts } from '../../sql/analysis/table-facts.js';
import { type Endpoint, type EndpointQuery, queriesOf } from '../endpoint/endpoint.js';
import { type TracedText, writeTraced } from '../query/traced-text.js';
import { findUnboundedParameters } from './bounds-rule.js';
import { findComparisons } from './comparison-rules.js';
import { findConditions } from './condition-rules.js';
import { lintDefinition } from './definition-rules.js';
import { offsetOf } from './finding-place.js';
import { findUngroupedColumns } from './grouping-rule.js';
import { findOptionalFilters, findRepeatedSums } from './join-rules.js';
import { markerTypes } from './marker-types.js';
import { findUnstableOrder } from './order-rule.js';
import { applySilences } from './silence.js';
import type { Finding, LintedText, SelectRule } from './sql-rule.js';
import { deduplicateWarnings, type Warning } from './warning.js';
import { findWildcards } from './wildcard-rule.js';

/**
 * Returns the warnings of a definition that it does not silence. `tables` returns the facts about the tables of the
 * database. Rules that need facts about a table ignore unknown tables.
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
  findOptionalFilters,
  findRepeatedSums,
  findUnboundedParameters,
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
      ...analysis.selects.flatMap((scope) => SELECT_RULES.flatMap((rule) => rule(scope, text))),
      ...(text.isMain ? findUnstableOrder(text) : []),
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

import type { QueryAnalysis } from '../../sql/analysis/analyze-query.js';
import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import type { SelectScope } from '../../sql/analysis/select-scope.js';
import type { MarkerTypes } from '../../sql/analysis/value-type.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { Output } from '../template/template-output.js';
import type { RuleName } from './warning.js';

/** One SQL text of a query of a definition. */
export interface LintedText {
  readonly endpoint: Endpoint;
  /** Whether the rows of the query are the rows of the answer. */
  readonly isMain: boolean;
  readonly analysis: QueryAnalysis;
  readonly markers: MarkerTypes;
  /** Returns the output that a placeholder binds. */
  outputOf(marker: string): Output | undefined;
}

/** A mistake in an SQL text. */
export interface Finding {
  readonly rule: RuleName;
  /** The part of the syntax tree with the mistake, or the text of a token. */
  readonly at: unknown;
  /** The parameter at whose declaration the mistake is reported. */
  readonly parameter?: string;
  readonly message: string;
  readonly fix: string;
}

/** Finds the mistakes of one kind in one SELECT with these nodes. */
export type SelectRule = (scope: SelectScope, text: LintedText, nodes: ScopeNodes) => readonly Finding[];

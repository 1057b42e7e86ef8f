import { type FilteredValueToken, type Token, TypeGuards } from 'liquidjs';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ParameterDefinition } from '../definition/definition.js';
import type { BoundValue } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { TemplateProblemFound } from './template-problem.js';

/** The built-in values, both of the engine's clock in UTC and of one moment in a request, and their types. */
const CLOCK: Readonly<Record<string, SqlType>> = { now: 'DATETIME', today: 'DATE' };
type SqlType = 'DATETIME' | 'DATE';

/** Names that no parameter may have. */
export const BUILT_IN: readonly string[] = Object.keys(CLOCK);

/** A `{{ }}`: what it binds. Equal ones share their markers. */
export interface Output {
  /** The source of the expression, by which equal ones are recognised. */
  readonly key: string;
  readonly parameter: string;
  /** The most values of an array; undefined for a single value. */
  readonly maxItems: number | undefined;
  /** The SQL type that the text is cast to; undefined if its context decides. */
  readonly sqlType: SqlType | undefined;
  read(values: ParameterValues, now: string): BoundValue | readonly BoundValue[];
}

/** Reads `name | filter: literal`. A missing value stays NULL through every filter. */
export function readOutput(
  token: FilteredValueToken,
  at: number,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): Output {
  const [operand, extra] = token.initial.postfix;
  if (operand === undefined || extra !== undefined || !isName(operand)) {
    throw new TemplateProblemFound(at, '{{ }} binds one parameter: {{ name }} or {{ name | filter }}');
  }
  const name = operand.getText();
  const kind = kindOfValue(name, operand, parameters);
  const filters = token.filters.map((filter) => readFilter(filter, kind));
  const definition = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const read = (values: ParameterValues, now: string): BoundValue | readonly BoundValue[] => {
    const value = definition === undefined ? clockText(name, now) : (values[name] ?? null);
    if (typeof value === 'object') return value;
    return filters.reduce<BoundValue>((result, filter) => filter(result), value);
  };
  const key = [name, ...token.filters.map((filter) => filter.getText())].join('|');
  return {
    key,
    parameter: name,
    maxItems: kind === 'array' ? (definition?.maxItems ?? 1) : undefined,
    sqlType: definition === undefined && filters.length === 0 ? CLOCK[name] : undefined,
    read,
  };
}

function clockText(name: string, now: string): string {
  return CLOCK[name] === 'DATE' ? now.slice(0, 10) : now;
}

type Filter = (value: BoundValue) => BoundValue;
type FilterToken = FilteredValueToken['filters'][number];

/** Few on purpose: what SQL patterns and sums need before binding. The rest is the database's work. */
const FILTERS: Readonly<
  Record<string, { kind: 'text' | 'number'; argument?: true; apply(value: never, argument: never): BoundValue }>
> = {
  upcase: { kind: 'text', apply: (value: string) => value.toUpperCase() },
  downcase: { kind: 'text', apply: (value: string) => value.toLowerCase() },
  strip: { kind: 'text', apply: (value: string) => value.trim() },
  append: { kind: 'text', argument: true, apply: (value: string, end: string) => value + end },
  prepend: { kind: 'text', argument: true, apply: (value: string, start: string) => start + value },
  plus: { kind: 'number', argument: true, apply: (value: number, more: number) => value + more },
  minus: { kind: 'number', argument: true, apply: (value: number, less: number) => value - less },
};

function isName(token: Token): boolean {
  return TypeGuards.isPropertyAccessToken(token) && token.variable === undefined && token.props.length === 1;
}

function kindOfValue(
  name: string,
  token: Token,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): 'text' | 'number' | 'boolean' | 'array' {
  if (BUILT_IN.includes(name)) return 'text';
  const definition = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (definition === undefined) {
    const hint = didYouMean(name, [...Object.keys(parameters), ...BUILT_IN]);
    throw new TemplateProblemFound(token.begin, `${name} is not a parameter that this SQL may use${hint}`);
  }
  const { type } = definition;
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' ? 'text' : type;
}

function readFilter(token: FilterToken, kind: string): Filter {
  const known = Object.keys(FILTERS);
  const filter = Object.hasOwn(FILTERS, token.name) ? FILTERS[token.name] : undefined;
  if (filter === undefined) {
    const hint = didYouMean(token.name, known);
    throw new TemplateProblemFound(token.begin, `${token.name} is not a filter${hint}`, `one of ${known.join(', ')}`);
  }
  if (filter.kind !== kind) {
    throw new TemplateProblemFound(token.begin, `${token.name} takes ${filter.kind}, not ${kind}`);
  }
  const [argument, extra] = token.args;
  const wanted = filter.kind === 'text' ? TypeGuards.isQuotedToken : TypeGuards.isNumberToken;
  if (
    extra !== undefined ||
    (argument === undefined ? filter.argument === true : !wanted(argument) || !filter.argument)
  ) {
    const sample = filter.kind === 'text' ? `"%"` : '1';
    const expected = filter.argument ? `${token.name}: ${sample}` : token.name;
    throw new TemplateProblemFound(token.begin, `${token.name} does not take this`, expected);
  }
  const content = wanted(argument) ? argument.content : undefined;
  return (value) => (value === null ? null : filter.apply(value as never, content as never));
}

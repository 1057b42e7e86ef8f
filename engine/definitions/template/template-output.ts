import type { FilteredValueToken, Token } from 'liquidjs';
import type { BoundValue } from '../../databases/interface/database.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ParameterDefinition } from '../definition.js';
import type { Environment } from '../definition-scope.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { CALLER } from '../principal.js';
import { TypeGuards } from './liquid.js';
import { TemplateError, unknownParameterMessage } from './template-problem.js';

/** The units of time with which built-in values such as `now` change, from the shortest to the longest. */
export const CLOCK_UNITS = ['second', 'hour', 'day'] as const;
export type ClockUnit = (typeof CLOCK_UNITS)[number];

type SqlType = 'DATETIME' | 'DATE';

/** The built-in values. The values come from the clock of the engine, in UTC, and are constant during a request. */
const CLOCK: Readonly<Record<string, { readonly sqlType: SqlType; readonly unit: ClockUnit }>> = {
  now: { sqlType: 'DATETIME', unit: 'second' },
  hour: { sqlType: 'DATETIME', unit: 'hour' },
  today: { sqlType: 'DATE', unit: 'day' },
};

/** Names that parameters must not have. */
export const BUILT_IN: readonly string[] = Object.keys(CLOCK);

/** The value that a `{{ }}` binds. Equal outputs share their placeholders. */
export interface Output {
  /** The normalized expression. Equal outputs have equal keys. */
  readonly key: string;
  /** The name of the value as written, such as `now`, `env.REGION` or `caller.id`. */
  readonly name: string;
  /** The name of the bound parameter or value of the caller; undefined for other values. */
  readonly parameter: string | undefined;
  /** The value of a variable of the environment; undefined for other values. */
  readonly constant: string | undefined;
  /** The maximum number of values of an array; undefined for a single value. */
  readonly maxItems: number | undefined;
  /** The SQL type to which the bound text is cast; undefined if its context determines the type. */
  readonly sqlType: SqlType | undefined;
  /** The unit of time with which a built-in value changes; undefined for a parameter. */
  readonly clock: ClockUnit | undefined;
  read(values: ParameterValues, now: string): BoundValue | readonly BoundValue[];
}

/** Parses `name | filter: literal` in `{{ }}`. An absent value is NULL, with and without filters. A filter changes each value of a list. */
export function readOutput(
  token: FilteredValueToken,
  at: number,
  parameters: Readonly<Record<string, ParameterDefinition>>,
  environment: Environment,
): Output {
  const [operand, extra] = token.initial.postfix;
  const name = operand?.getText() ?? '';
  const isVariable = operand !== undefined && name.startsWith(VARIABLE) && isPath(operand, 2);
  const isCaller = operand !== undefined && name.startsWith(CALLER) && (isPath(operand, 2) || isPath(operand, 3));
  if (operand === undefined || extra !== undefined || !(isVariable || isCaller || isPath(operand, 1))) {
    throw new TemplateError(at, '{{ }} binds one parameter: {{ name }} or {{ name | filter }}');
  }
  const constant = isVariable ? readVariable(name.slice(VARIABLE.length), operand, environment) : undefined;
  const kind = isVariable ? 'text' : kindOfParameter(name, operand, parameters);
  const definition = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const isSize = kind === 'list' && token.filters[0]?.name === 'size';
  const itemKind = kind === 'list' ? kindOfType(definition?.items?.type) : kind;
  const filters = token.filters.map((filter, index) =>
    readFilter(filter, isSize ? (index === 0 ? 'list' : 'number') : itemKind),
  );
  const change = (value: BoundValue) => filters.reduce<BoundValue>((result, filter) => filter(result), value);
  const read = (values: ParameterValues, now: string): BoundValue | readonly BoundValue[] => {
    const value = constant ?? (definition === undefined ? clockText(name, now) : (values[name] ?? null));
    if (value === null) return value;
    if (typeof value === 'object') return isSize ? change(value.length) : value.map(change);
    return change(value);
  };
  const key = [name, ...token.filters.map((filter) => filter.getText())].join('|');
  return {
    key,
    name,
    parameter: definition === undefined ? undefined : name,
    constant,
    maxItems: kind === 'list' && !isSize ? (definition?.maxItems ?? 1) : undefined,
    sqlType: definition === undefined && filters.length === 0 ? CLOCK[name]?.sqlType : undefined,
    clock: definition === undefined ? CLOCK[name]?.unit : undefined,
    read,
  };
}

function clockText(name: string, now: string): string {
  switch (CLOCK[name]?.unit) {
    case 'day':
      return now.slice(0, 10);
    case 'hour':
      return `${now.slice(0, 13)}:00:00`;
    default:
      return now;
  }
}

type Filter = (value: BoundValue) => BoundValue;
type FilterToken = FilteredValueToken['filters'][number];

/**
 * The supported filters. A filter changes a value before it is bound, for example to a pattern for LIKE. The database
 * does all other calculations.
 */
const FILTERS: Readonly<
  Record<
    string,
    { kind: 'text' | 'number' | 'list'; argument?: true; apply(value: never, argument: never): BoundValue }
  >
> = {
  upcase: { kind: 'text', apply: (value: string) => value.toUpperCase() },
  downcase: { kind: 'text', apply: (value: string) => value.toLowerCase() },
  strip: { kind: 'text', apply: (value: string) => value.trim() },
  append: { kind: 'text', argument: true, apply: (value: string, end: string) => value + end },
  prepend: { kind: 'text', argument: true, apply: (value: string, start: string) => start + value },
  plus: { kind: 'number', argument: true, apply: (value: number, more: number) => value + more },
  minus: { kind: 'number', argument: true, apply: (value: number, less: number) => value - less },
  size: { kind: 'list', apply: (length: number) => length },
};

/** Whether a token is a name, or several names with dots. */
function isPath(token: Token, names: number): boolean {
  return TypeGuards.isPropertyAccessToken(token) && token.variable === undefined && token.props.length === names;
}

const VARIABLE = 'env.';

/** Returns the value of a variable of the environment. */
function readVariable(name: string, token: Token, environment: Environment): string {
  if (!Object.hasOwn(environment, name)) {
    const hint = didYouMean(name, Object.keys(environment));
    throw new TemplateError(
      token.begin,
      `the variable ${name} of the environment is not allowed: list it in env of api.yaml${hint}`,
    );
  }
  const value = environment[name];
  if (value !== undefined) return value;
  throw new TemplateError(
    token.begin,
    `the variable ${name} of the environment has no value: set it, or write it into .env`,
  );
}

function kindOfParameter(name: string, token: Token, parameters: Readonly<Record<string, ParameterDefinition>>): Kind {
  if (BUILT_IN.includes(name)) return 'text';
  const definition = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (definition === undefined) {
    throw new TemplateError(token.begin, unknownParameterMessage(name, [...Object.keys(parameters), ...BUILT_IN]));
  }
  return kindOfType(definition.type);
}

type Kind = 'text' | 'number' | 'boolean' | 'list';

function kindOfType(type: ParameterDefinition['type'] | undefined): Kind {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'list';
  return type === 'boolean' ? type : 'text';
}

function readFilter(token: FilterToken, kind: string): Filter {
  const known = Object.keys(FILTERS);
  const filter = Object.hasOwn(FILTERS, token.name) ? FILTERS[token.name] : undefined;
  if (filter === undefined) {
    const hint = didYouMean(token.name, known);
    throw new TemplateError(token.begin, `unknown filter ${token.name}${hint}`, `one of ${known.join(', ')}`);
  }
  if (filter.kind !== kind) {
    throw new TemplateError(token.begin, `the filter ${token.name} requires a ${filter.kind}, not a ${kind}`);
  }
  const [argument, extra] = token.args;
  const isLiteral = filter.kind === 'text' ? TypeGuards.isQuotedToken : TypeGuards.isNumberToken;
  if (
    extra !== undefined ||
    (argument === undefined ? filter.argument === true : !isLiteral(argument) || !filter.argument)
  ) {
    const sample = filter.kind === 'text' ? `"%"` : '1';
    const expected = filter.argument ? `${token.name}: ${sample}` : token.name;
    throw new TemplateError(token.begin, `invalid argument of the filter ${token.name}`, expected);
  }
  const content = isLiteral(argument) ? argument.content : undefined;
  return (value) => (value === null ? null : filter.apply(value as never, content as never));
}

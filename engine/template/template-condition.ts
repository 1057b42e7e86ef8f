import { type Expression, type Token, TokenizationError, type Tokenizer, TypeGuards } from 'liquidjs';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ParameterDefinition } from '../definition/definition.js';
import { type ReportTemplateProblem, TemplateProblemFound } from './template-problem.js';

export type ChoiceValue = string | number | boolean | null;

/**
 * What a branch depends on: enums, booleans, and whether an optional list is given, so that all texts of a template are known
 * beforehand.
 */
export type Condition = (choices: ReadonlyMap<string, ChoiceValue>) => boolean;

/** The parameters that conditions look at, each with the values that they compare it with. */
export type ComparedValues = Map<string, Set<ChoiceValue>>;

export interface ConditionScope {
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly compared: ComparedValues;
  readonly report: ReportTemplateProblem;
}

/** Of `x = 1` and `x && y` the reader itself would say that a filter is missing. */
export function readConditionValue(tokenizer: Tokenizer, at: number) {
  try {
    return tokenizer.readFilteredValue();
  } catch (error) {
    if (!(error instanceof TokenizationError)) throw error;
    throw new TemplateProblemFound(at, 'the condition cannot be read', '==, !=, and, or, not');
  }
}

/** Reads `sort == "name" and not x`; only `==`, `!=`, `and`, `or`, `not` over enums and booleans. */
export function readCondition(expression: Expression, at: number, scope: ConditionScope): Condition {
  const stack: Part[] = [];
  for (const token of expression.postfix) {
    stack.push(
      TypeGuards.isOperatorToken(token) ? operation(token.operator, token, stack, scope) : operand(token, scope),
    );
  }
  const [part, extra] = stack;
  if (part === undefined || extra !== undefined) throw new TemplateProblemFound(at, 'the tag has no condition');
  return truth(part, scope);
}

/** The parameter that `{% case x %}` chooses by. */
export function readSubject(expression: Expression, at: number, scope: ConditionScope): string {
  const [token, extra] = expression.postfix;
  const part = token === undefined || extra !== undefined ? undefined : operand(token, scope);
  if (part?.kind !== 'parameter') {
    throw new TemplateProblemFound(at, 'case chooses by one parameter: {% case sort %}');
  }
  return part.name;
}

/** A literal that a parameter is compared with; it must be a value that the parameter can have. */
export function readLiteral(token: Token, subject: string, scope: ConditionScope): ChoiceValue {
  const part = operand(token, scope);
  if (part.kind !== 'literal') {
    throw new TemplateProblemFound(token.begin, `a value of ${subject} is expected here, in quotes if it is text`);
  }
  compare(subject, part.value, token, scope);
  return part.value;
}

/** Every value that a parameter can have; null means "not given", and `true` a list that is given. */
export function choicesOf(definition: ParameterDefinition): ChoiceValue[] {
  const values = givenChoices(definition);
  return isOptional(definition) ? [...values, null] : values;
}

/** Whether a parameter may have no value. */
export function isOptional(definition: ParameterDefinition): boolean {
  return definition.in === 'query' && !definition.required && definition.default === undefined;
}

function givenChoices({ type, enum: values }: ParameterDefinition): ChoiceValue[] {
  if (type === 'array') return [true];
  return type === 'boolean' ? [true, false] : [...(values ?? [])];
}

type Part =
  | { readonly kind: 'parameter'; readonly name: string; readonly token: Token }
  | { readonly kind: 'literal'; readonly value: ChoiceValue; readonly token: Token }
  | { readonly kind: 'condition'; readonly holds: Condition; readonly token: Token };

function operand(token: Token, { parameters }: ConditionScope): Part {
  if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token)) {
    return { kind: 'literal', value: token.content, token };
  }
  if (TypeGuards.isLiteralToken(token)) {
    const literals: Record<string, ChoiceValue> = { true: true, false: false, nil: null, null: null };
    const value = literals[token.literal];
    if (value !== undefined) return { kind: 'literal', value, token };
  }
  const name = token.getText();
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined || token.props.length !== 1) {
    throw new TemplateProblemFound(token.begin, `${name} cannot stand in a condition`);
  }
  const definition = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (definition === undefined) {
    if (Object.values(parameters).some((parameter) => parameter.enum?.includes(name))) {
      throw new TemplateProblemFound(token.begin, `${name} is a value, not a parameter: write "${name}"`);
    }
    const hint = didYouMean(name, Object.keys(parameters));
    throw new TemplateProblemFound(token.begin, `${name} is not a parameter that this SQL may use${hint}`);
  }
  if (definition.type !== 'boolean' && definition.type !== 'array' && definition.enum === undefined) {
    throw new TemplateProblemFound(
      token.begin,
      `a condition looks at enums, booleans and lists only, and ${name} is none of them: the text of the query must not depend on ` +
        `what callers write; bind it instead, such as ({{ ${name} }} IS NULL OR column = {{ ${name} }})`,
    );
  }
  return { kind: 'parameter', name, token };
}

function operation(operator: string, token: Token, stack: Part[], scope: ConditionScope): Part {
  const right = stack.pop();
  const left = operator === 'not' ? right : stack.pop();
  if (left === undefined || right === undefined)
    throw new TemplateProblemFound(token.begin, `${operator} lacks a side`);
  return { kind: 'condition', holds: operationCondition(operator, left, right, token, scope), token };
}

function operationCondition(operator: string, left: Part, right: Part, token: Token, scope: ConditionScope): Condition {
  if (operator === '==' || operator === '!=') return equality(operator, left, right, token, scope);
  const [one, two] = [truth(left, scope), truth(right, scope)];
  if (operator === 'and') return (choices) => one(choices) && two(choices);
  if (operator === 'or') return (choices) => one(choices) || two(choices);
  if (operator === 'not') return (choices) => !two(choices);
  throw new TemplateProblemFound(token.begin, `${operator} cannot stand in a condition`, '==, !=, and, or, not');
}

function equality(operator: string, left: Part, right: Part, token: Token, scope: ConditionScope): Condition {
  const [subject, other] = left.kind === 'parameter' ? [left, right] : [right, left];
  if (subject.kind !== 'parameter' || other.kind !== 'literal') {
    throw new TemplateProblemFound(token.begin, `${operator} compares a parameter with a value`);
  }
  compare(subject.name, other.value, other.token, scope);
  const isWanted = operator === '==';
  return (choices) => (choices.get(subject.name) === other.value) === isWanted;
}

/** Only `false` and "not given" are untrue, as everywhere in Liquid. */
function truth(part: Part, scope: ConditionScope): Condition {
  if (part.kind === 'condition') return part.holds;
  if (part.kind === 'literal') throw new TemplateProblemFound(part.token.begin, 'a value alone is no condition');
  const { name } = part;
  remember(name, [false, null], scope);
  return (choices) => choices.get(name) !== false && choices.get(name) !== null;
}

function compare(name: string, value: ChoiceValue, token: Token, scope: ConditionScope): void {
  const definition = scope.parameters[name];
  const choices = definition === undefined ? [] : choicesOf(definition);
  if (definition?.type === 'array' && value !== null) {
    throw new TemplateProblemFound(
      token.begin,
      `${name} is a list: only whether it is given can be asked`,
      `{% if ${name} %}`,
    );
  }
  if (choices.includes(value)) {
    remember(name, [value], scope);
    return;
  }
  const texts = choices.filter((choice) => choice !== null).map(String);
  scope.report(
    token.begin,
    `${name} is never ${JSON.stringify(value)}${didYouMean(String(value), texts)}`,
    `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`,
  );
}

/** Makes a template have texts of their own for these values of a parameter. */
export function remember(
  name: string,
  values: readonly ChoiceValue[],
  { compared, parameters }: Pick<ConditionScope, 'compared' | 'parameters'>,
): void {
  const known = compared.get(name) ?? new Set();
  const definition = parameters[name];
  const possible = definition === undefined ? [] : choicesOf(definition);
  for (const value of values) if (possible.includes(value)) known.add(value);
  compared.set(name, known);
}

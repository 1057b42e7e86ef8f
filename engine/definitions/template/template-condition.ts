import type { Expression, Token } from 'liquidjs';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ParameterDefinition } from '../definition.js';
import { TokenizationError, type Tokenizer, TypeGuards } from './liquid.js';
import { type ReportTemplateProblem, TemplateError, unknownParameterMessage } from './template-problem.js';

export type ChoiceValue = string | number | boolean | null;

/**
 * The condition of a branch. It depends only on enums, booleans and the presence of optional lists, so all variants of
 * a template are known when the definition is loaded.
 */
export type Condition = (choices: ReadonlyMap<string, ChoiceValue>) => boolean;

/** The parameters that conditions test, each with the values that it is compared with. */
export type ComparedValues = Map<string, Set<ChoiceValue>>;

export interface ConditionScope {
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly compared: ComparedValues;
  readonly report: ReportTemplateProblem;
}

/**
 * Parses the expression of a condition. Reports `x = 1` and `x && y` with a clear message, because liquidjs would
 * report a missing filter.
 */
export function readConditionValue(tokenizer: Tokenizer, at: number) {
  try {
    return tokenizer.readFilteredValue();
  } catch (error) {
    if (!(error instanceof TokenizationError)) throw error;
    throw new TemplateError(at, 'invalid condition', '==, !=, and, or, not');
  }
}

/** Reads a condition such as `sort == "name" and not x`. It allows `==`, `!=`, `and`, `or`, `not`. */
export function readCondition(expression: Expression, at: number, scope: ConditionScope): Condition {
  if (expression.postfix.length > MAX_CONDITION)
    throw new TemplateError(at, 'the condition is too long', `at most ${MAX_CONDITION} values and operators`);
  const stack: Part[] = [];
  for (const token of expression.postfix) {
    stack.push(
      TypeGuards.isOperatorToken(token)
        ? readOperation(token.operator, token, stack, scope)
        : readOperand(token, scope),
    );
  }
  const [part, extra] = stack;
  if (part === undefined || extra !== undefined) throw new TemplateError(at, 'the tag has no condition');
  return toCondition(part, scope);
}

/** The maximum number of values and operators. Each operator adds a nested function call, so the limit prevents a stack overflow. */
const MAX_CONDITION = 100;

/** Reads the name of the parameter of `{% case x %}`. */
export function readSubject(expression: Expression, at: number, scope: ConditionScope): string {
  const [token, extra] = expression.postfix;
  const part = token === undefined || extra !== undefined ? undefined : readOperand(token, scope);
  if (part?.kind !== 'parameter') {
    throw new TemplateError(at, '{% case %} takes one parameter, for example {% case sort %}');
  }
  return part.name;
}

/** Reads a literal that a parameter is compared with. The parameter must be able to have this value. */
export function readLiteral(token: Token, subject: string, scope: ConditionScope): ChoiceValue {
  const part = readOperand(token, scope);
  if (part.kind !== 'literal') {
    throw new TemplateError(token.begin, `expected a value of ${subject} here, in quotes if it is text`);
  }
  checkComparison(subject, part.value, token, scope);
  return part.value;
}

/**
 * Returns every value that a parameter can have. Null means that the parameter is absent. For a list, `true` means that
 * the list is present.
 */
export function choicesOf(definition: ParameterDefinition): ChoiceValue[] {
  const values = presentChoices(definition);
  return isOptional(definition) ? [...values, null] : values;
}

/** Whether a parameter can be absent. */
export function isOptional(definition: ParameterDefinition): boolean {
  return definition.in === 'query' && !definition.required && definition.default === undefined;
}

function presentChoices({ type, enum: values }: ParameterDefinition): ChoiceValue[] {
  if (type === 'array') return [true];
  return type === 'boolean' ? [true, false] : [...(values ?? [])];
}

type Part =
  | { readonly kind: 'parameter'; readonly name: string; readonly token: Token }
  | { readonly kind: 'literal'; readonly value: ChoiceValue; readonly token: Token }
  | { readonly kind: 'condition'; readonly holds: Condition; readonly token: Token };

function readOperand(token: Token, { parameters }: ConditionScope): Part {
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
    throw new TemplateError(token.begin, `${name} is not allowed in a condition`);
  }
  const definition = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (definition === undefined) {
    if (Object.values(parameters).some((parameter) => parameter.enum?.includes(name))) {
      throw new TemplateError(token.begin, `${name} is a value, not a parameter: write "${name}"`);
    }
    throw new TemplateError(token.begin, unknownParameterMessage(name, Object.keys(parameters)));
  }
  if (definition.type !== 'boolean' && definition.type !== 'array' && definition.enum === undefined) {
    throw new TemplateError(
      token.begin,
      `a condition can test only enums, booleans and lists, but ${name} has the type ${definition.type}: the text of the query must ` +
        `not depend on caller input; bind the value instead, for example ({{ ${name} }} IS NULL OR column = {{ ${name} }})`,
    );
  }
  return { kind: 'parameter', name, token };
}

function readOperation(operator: string, token: Token, stack: Part[], scope: ConditionScope): Part {
  const right = stack.pop();
  const left = operator === 'not' ? right : stack.pop();
  if (left === undefined || right === undefined) {
    throw new TemplateError(token.begin, `an operand of ${operator} is missing`);
  }
  return { kind: 'condition', holds: createCondition(operator, left, right, token, scope), token };
}

function createCondition(operator: string, left: Part, right: Part, token: Token, scope: ConditionScope): Condition {
  if (operator === '==' || operator === '!=') return createEquality(operator, left, right, token, scope);
  const [one, two] = [toCondition(left, scope), toCondition(right, scope)];
  if (operator === 'and') return (choices) => one(choices) && two(choices);
  if (operator === 'or') return (choices) => one(choices) || two(choices);
  if (operator === 'not') return (choices) => !two(choices);
  throw new TemplateError(token.begin, `${operator} is not allowed in a condition`, '==, !=, and, or, not');
}

function createEquality(operator: string, left: Part, right: Part, token: Token, scope: ConditionScope): Condition {
  const [subject, other] = left.kind === 'parameter' ? [left, right] : [right, left];
  if (subject.kind !== 'parameter' || other.kind !== 'literal') {
    throw new TemplateError(token.begin, `${operator} compares a parameter with a value`);
  }
  checkComparison(subject.name, other.value, other.token, scope);
  const isEqual = operator === '==';
  return (choices) => (choices.get(subject.name) === other.value) === isEqual;
}

/** Converts an operand to a condition. Only `false` and an absent value are false, as in Liquid. */
function toCondition(part: Part, scope: ConditionScope): Condition {
  if (part.kind === 'condition') return part.holds;
  if (part.kind === 'literal') throw new TemplateError(part.token.begin, 'a literal is not a condition');
  const { name } = part;
  addComparedValues(name, [false, null], scope);
  return (choices) => choices.get(name) !== false && choices.get(name) !== null;
}

function checkComparison(name: string, value: ChoiceValue, token: Token, scope: ConditionScope): void {
  const definition = scope.parameters[name];
  const choices = definition === undefined ? [] : choicesOf(definition);
  if (definition?.type === 'array' && value !== null) {
    throw new TemplateError(
      token.begin,
      `${name} is a list: a condition can test only whether it is present`,
      `{% if ${name} %}`,
    );
  }
  if (choices.includes(value)) {
    addComparedValues(name, [value], scope);
    return;
  }
  const texts = choices.filter((choice) => choice !== null).map(String);
  scope.report(
    token.begin,
    `${name} is never ${JSON.stringify(value)}${didYouMean(String(value), texts)}`,
    `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`,
  );
}

/** Adds the values of a parameter for which the template needs a variant each. */
export function addComparedValues(
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

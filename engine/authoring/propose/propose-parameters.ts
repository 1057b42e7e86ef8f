import type { ItemDefinition, ParameterDefinition, ParameterValue } from '../../definitions/definition.js';
import type { ComparedLiterals, Literal } from '../../sql/outline/compared-literals.js';
import { decideLiteral, type Origin } from './decide-literal.js';
import { firstSentence } from './table-meaning.js';

/** The choices of the caller: names of parameters, and literals that stay. Literals are written as in the SELECT or as values. */
export interface LiteralChoices {
  readonly named: ReadonlyMap<string, string>;
  readonly kept: ReadonlySet<string>;
}

export interface ProposedParameter {
  readonly name: string;
  readonly definition: ParameterDefinition;
  /** The value in the SELECT. */
  readonly value: ParameterValue;
}

/** A literal, with the parameter that it becomes, or the reason why it stays. */
export interface LiteralDecision {
  /** The literal as it is in the SELECT. */
  readonly text: string;
  /** The column with which the literal is compared. */
  readonly column: string | undefined;
  readonly parameter?: string;
  readonly reason?: string;
}

export interface ProposedParameters {
  readonly parameters: readonly ProposedParameter[];
  /** One decision for each compared literal, in the order of the SELECT. */
  readonly decisions: readonly LiteralDecision[];
  /** The pieces of the SELECT to replace. */
  readonly changes: readonly TextChange[];
}

export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ProposalInput {
  readonly compared: readonly ComparedLiterals[];
  readonly originOf: (compared: ComparedLiterals) => Origin | undefined;
  readonly choices: LiteralChoices;
  /** The path that the caller chose. Parameters that it contains become path parameters. */
  readonly path: string | undefined;
}

/** Proposes a parameter for each literal that a caller of the endpoint would choose, and returns why all others stay. */
export function proposeParameters({ compared, originOf, choices, path }: ProposalInput): ProposedParameters {
  requireKnownChoices(compared, choices);
  const parameters: Draft[] = [];
  const decisions: LiteralDecision[] = [];
  const changes: TextChange[] = [];
  for (const one of compared) {
    const origin = originOf(one);
    const named = [...choices.named].find(([, literal]) => isMeant(one, literal))?.[0];
    const decision = [...choices.kept].some((literal) => isMeant(one, literal))
      ? { reason: 'you chose to keep it' }
      : decideLiteral(one, origin, named);
    if ('reason' in decision) {
      decisions.push({ text: textOf(one), column: one.column?.name, reason: decision.reason });
      continue;
    }
    const value = literalValue(one, decision.text);
    const same = parameters.find((other) => isSame(other, one, value) && (named === undefined || other.name === named));
    const name = same?.name ?? named ?? freeName(decision.name, parameters);
    if (same === undefined) parameters.push({ name, value, compared: one, origin, decision });
    decisions.push({ text: textOf(one), column: one.column?.name, parameter: name });
    changes.push({ ...placeOf(one.literals), text: decision.write(name) });
  }
  return { parameters: sortByPlace(parameters.map((draft) => define(draft, parameters, path))), decisions, changes };
}

interface Draft {
  readonly name: string;
  readonly value: ParameterValue;
  readonly compared: ComparedLiterals;
  readonly origin: Origin | undefined;
  readonly decision: Exclude<ReturnType<typeof decideLiteral>, { readonly reason: string }>;
}

/** Names that definitions reserve. */
const RESERVED = new Set([
  'now',
  'today',
  'hour',
  'page',
  'page_size',
  'true',
  'false',
  'nil',
  'and',
  'or',
  'not',
  'empty',
  'blank',
]);

function freeName(wanted: string, parameters: readonly Draft[]): string {
  const base = RESERVED.has(wanted) ? `${wanted}_value` : wanted.slice(0, 36);
  const isFree = (name: string) =>
    parameters.every((other) => other.name.replaceAll('_', '') !== name.replaceAll('_', ''));
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (isFree(name)) return name;
  }
}

function isSame(draft: Draft, compared: ComparedLiterals, value: ParameterValue): boolean {
  const isSameColumn = draft.compared.column?.name === compared.column?.name;
  return (
    isSameColumn &&
    draft.compared.comparison === compared.comparison &&
    JSON.stringify(draft.value) === JSON.stringify(value)
  );
}

/** Whether `literal` refers to these literals: by a value, the spelling in the SELECT, or the text between the wildcards of LIKE. */
function isMeant({ comparison, literals }: ComparedLiterals, literal: string): boolean {
  const values = literals.map(({ value }) => String(value));
  const spellings = [
    values.join(','),
    literals.map(({ text }) => text).join(','),
    literals.map(({ text }) => text).join(', '),
  ];
  if (comparison === 'LIKE') spellings.push(...values.map((value) => value.replaceAll(/^%|%$/g, '')));
  return spellings.includes(literal);
}

function requireKnownChoices(compared: readonly ComparedLiterals[], { named, kept }: LiteralChoices): void {
  const wanted = [
    ...[...named].map(([name, literal]) => [`--param ${name}=${literal}`, literal] as const),
    ...[...kept].map((literal) => [`--keep ${literal}`, literal] as const),
  ];
  const unknown = wanted.find(([, literal]) => !compared.some((one) => isMeant(one, literal)));
  if (unknown === undefined) return;
  const known = [...new Set(compared.map(textOf))];
  const expected =
    known.length === 0 ? 'a literal that WHERE or HAVING compares with a column' : `one of ${known.join('; ')}`;
  throw new Error(`${unknown[0]}: expected ${expected}, got ${unknown[1]}.`);
}

function textOf({ literals }: ComparedLiterals): string {
  return literals.map(({ text }) => text).join(', ');
}

function placeOf(literals: readonly Literal[]): { readonly start: number; readonly end: number } {
  return { start: literals[0]?.start ?? 0, end: literals.at(-1)?.end ?? 0 };
}

function literalValue({ comparison, literals }: ComparedLiterals, text: string | undefined): ParameterValue {
  if (comparison === 'IN' || comparison === 'NOT IN') return literals.map(({ value }) => value);
  return text ?? literals[0]?.value ?? '';
}

function define(draft: Draft, all: readonly Draft[], path: string | undefined): ProposedParameter {
  const { name, value, decision } = draft;
  const isInPath = path === undefined ? decision.isKey : path.includes(`{${name}}`);
  const description = describe(draft);
  const notAfter = upperBoundOf(draft, all);
  const item: ItemDefinition = decision.schema;
  const schema = Array.isArray(value)
    ? { type: 'array' as const, items: item, maxItems: Math.min(500, Math.max(20, value.length)) }
    : item;
  const { type, ...keywords } = schema;
  const definition: ParameterDefinition = {
    in: isInPath ? 'path' : 'query',
    type,
    ...keywords,
    ...(!isInPath && { default: value }),
    ...(notAfter !== undefined && { notAfter }),
    description,
    ...(isInPath && { example: value }),
  };
  return { name, value, definition };
}

/** Returns the name of the parameter that is the upper bound of the same column. */
function upperBoundOf({ compared, decision }: Draft, all: readonly Draft[]): string | undefined {
  if (!compared.comparison.startsWith('>') || compared.column === undefined) return undefined;
  const upper = all.find(
    (other) =>
      other.compared.comparison.startsWith('<') &&
      other.compared.comparison !== '<>' &&
      other.compared.column?.name === compared.column?.name &&
      other.compared.call === compared.call &&
      other.decision.schema.type === decision.schema.type &&
      other.decision.schema.format === decision.schema.format,
  );
  return upper?.name;
}

const WORDS: Readonly<Record<Exclude<ComparedLiterals['comparison'], 'LIKE'>, string>> = {
  '=': 'Value of',
  '<>': 'Excluded value of',
  '>=': 'Smallest value of',
  '>': 'Lower bound, exclusive, of',
  '<=': 'Largest value of',
  '<': 'Upper bound, exclusive, of',
  IN: 'Values of',
  'NOT IN': 'Excluded values of',
};

function describe({ compared, origin, decision }: Draft): string {
  const subject = compared.column === undefined ? (compared.call ?? 'the expression') : compared.column.name;
  const around =
    compared.call === undefined ? `\`${subject}\`` : `\`${compared.call}(${compared.column?.name ?? '*'})\``;
  const known = origin?.meaning.description;
  if (compared.comparison === '=' && known !== undefined && compared.call === undefined)
    return `${firstSentence(known)}.`;
  if (compared.comparison === 'LIKE') return decision.hint ?? '';
  const hint = decision.hint === undefined ? '' : ` ${decision.hint}`;
  return `${WORDS[compared.comparison]} ${around}.${hint}`;
}

/** Sorts path parameters before all others. */
function sortByPlace(parameters: readonly ProposedParameter[]): ProposedParameter[] {
  const inPath = parameters.filter(({ definition }) => definition.in === 'path');
  return [...inPath, ...parameters.filter(({ definition }) => definition.in !== 'path')];
}

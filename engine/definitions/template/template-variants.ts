import type { ParameterDefinition, ParameterValue } from '../definition.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { Branch, Template, TemplateNode } from './template.js';
import { type ChoiceValue, choicesOf } from './template-condition.js';
import type { Output } from './template-output.js';
import type { TemplateProblem } from './template-problem.js';

export const MAX_VARIANTS = 256;

/**
 * A part of a template: a text of the author, or a bound value. `at` is the offset of the part in the template, and
 * `once` is the offset of the enclosing `{% once %}`.
 */
export type Piece = ({ readonly text: string } | { readonly output: Output }) & {
  readonly at: number;
  readonly once?: number;
};

/** One SQL text that a template can produce. */
export interface Variant {
  /** The parameter values that select this variant. A value that no condition mentions represents all such values. */
  readonly choices: Readonly<Record<string, ChoiceValue>>;
  readonly pieces: readonly Piece[];
}

export interface Variants {
  /** All variants, each with a different text. */
  readonly all: readonly Variant[];
  readonly select: (values: ParameterValues) => Variant;
  readonly problems: readonly TemplateProblem[];
}

/** Creates all variants of a template, and finds branches that no variant uses. */
export function expandVariants(
  template: Template,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): Variants {
  const dimensions = dimensionsOf(template, parameters);
  const count = dimensions.reduce((product, { values }) => product * values.length, 1);
  if (count > MAX_VARIANTS) return tooManyVariants(count, dimensions);
  const taken = new Set<Branch>();
  const distinct = new Map<string, Variant>();
  const byChoice: Variant[] = [];
  const absent = new Map<number, TemplateProblem>();
  for (let index = 0; index < count; index += 1) {
    const choices = new Map(dimensions.map(({ name, values, stride }) => [name, choiceAt(values, stride, index)]));
    const pieces = writePieces(template.nodes, choices, taken);
    for (const problem of findAbsentLists(pieces, choices)) absent.set(problem.offset, problem);
    const key = keyOfPieces(pieces);
    const variant = distinct.get(key) ?? { choices: Object.fromEntries(choices), pieces };
    distinct.set(key, variant);
    byChoice.push(variant);
  }
  return {
    all: [...distinct.values()],
    select: createSelector(dimensions, byChoice),
    problems: [...findUnreachable(template.nodes, taken), ...absent.values()],
  };
}

/** Returns a key that is equal for pieces with equal SQL. */
export function keyOfPieces(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : `\0${piece.output.key}\0`)).join('');
}

/** Formats the choices of a variant for messages. The result is empty if the template has only one variant. */
export function formatChoices(choices: Variant['choices']): string {
  return Object.entries(choices)
    .map(([name, value]) => `${name} = ${value === null ? 'absent' : JSON.stringify(value)}`)
    .join(', ');
}

interface Dimension {
  readonly name: string;
  readonly values: readonly ChoiceValue[];
  readonly places: ReadonlyMap<ChoiceValue, number>;
  readonly stride: number;
}

/** Returns the values of each parameter that select different variants. One value represents all values that no condition mentions. */
function dimensionsOf(template: Template, parameters: Readonly<Record<string, ParameterDefinition>>): Dimension[] {
  let stride = 1;
  return [...template.compared].map(([name, compared]) => {
    const definition = parameters[name];
    const choices = definition === undefined ? [] : choicesOf(definition);
    const other = choices.find((choice) => !compared.has(choice));
    const values = choices.filter((choice) => compared.has(choice) || choice === other);
    const places = new Map(
      choices.map((choice) => [choice, values.indexOf(compared.has(choice) ? choice : (other ?? null))]),
    );
    const dimension = { name, values, places, stride };
    stride *= values.length;
    return dimension;
  });
}

function choiceAt(values: readonly ChoiceValue[], stride: number, index: number): ChoiceValue {
  return values[Math.floor(index / stride) % values.length] ?? null;
}

function writePieces(
  nodes: readonly TemplateNode[],
  choices: ReadonlyMap<string, ChoiceValue>,
  taken: Set<Branch>,
): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    if (node.kind === 'text') return [{ text: node.text, at: node.at }];
    if (node.kind === 'output') return [{ output: node.output, at: node.at }];
    if (node.kind === 'once')
      return writePieces(node.nodes, choices, taken).map((piece) => ({ ...piece, once: node.at }));
    const branch = node.branches.find(({ holds }) => holds(choices));
    if (branch === undefined) return [];
    taken.add(branch);
    return writePieces(branch.nodes, choices, taken);
  });
}

/** Finds lists that a variant uses although they are absent. This is a mistake, because SQL has no syntax for an empty list. */
function findAbsentLists(pieces: readonly Piece[], choices: ReadonlyMap<string, ChoiceValue>): TemplateProblem[] {
  return pieces.flatMap((piece) => {
    if (!('output' in piece) || piece.output.maxItems === undefined) return [];
    const { parameter } = piece.output;
    if (parameter === undefined) return [];
    if (choices.get(parameter) !== null) return [];
    const block = `{% if ${parameter} %} … {% endif %}`;
    const message = `${parameter} can be absent here: use it inside ${block}, or give it a default or required: true`;
    return [{ offset: piece.at, message }];
  });
}

function createSelector(dimensions: readonly Dimension[], byChoice: readonly Variant[]): Variants['select'] {
  return (values) => {
    let index = 0;
    for (const { name, places, stride } of dimensions) {
      index += (places.get(choiceOf(values[name])) ?? 0) * stride;
    }
    const variant = byChoice[index];
    if (variant === undefined) throw new RangeError(`variant ${index} does not exist, there are ${byChoice.length}`);
    return variant;
  };
}

/** Converts the value of a parameter to a choice: null for a missing value, `true` for a list. */
function choiceOf(value: ParameterValue | null | undefined): ChoiceValue {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? true : value;
}

function findUnreachable(nodes: readonly TemplateNode[], taken: ReadonlySet<Branch>): TemplateProblem[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'once') return findUnreachable(node.nodes, taken);
    if (node.kind !== 'choice') return [];
    return node.branches.flatMap((branch) =>
      taken.has(branch)
        ? findUnreachable(branch.nodes, taken)
        : [
            {
              offset: branch.at,
              message: `this {% ${branch.tag} %} is unreachable: no value of a parameter selects it`,
            },
          ],
    );
  });
}

function tooManyVariants(count: number, dimensions: readonly Dimension[]): Variants {
  const product = dimensions.map(({ name, values }) => `${name} ${values.length}`).join(' × ');
  const message = `the conditions produce too many variants, ${count} (${product}): split the endpoint`;
  const select = () => {
    throw new RangeError(message);
  };
  return { all: [], select, problems: [{ offset: 0, message, expected: `at most ${MAX_VARIANTS}` }] };
}

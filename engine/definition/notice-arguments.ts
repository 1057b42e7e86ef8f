import { describeValue, isMapping, type ProblemFacts } from './definition-source.js';
import { hasArgument, type SqlArguments, textLiteral } from './expand-sql.js';

/** A mistake below the `with` of a notice. */
export interface ArgumentMistake {
  /** The path of keys under `with`; empty for the value of `with`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly facts: ProblemFacts;
}

/** Reads the arguments that a definition passes to a shared notice. Returns no arguments if one of them is invalid. */
export function readArguments(
  input: unknown,
  sql: string,
): { readonly args: SqlArguments; readonly mistakes: readonly ArgumentMistake[] } {
  if (input !== undefined && !isMapping(input)) {
    const facts = { expected: 'a mapping', got: describeValue(input) };
    return { args: {}, mistakes: [{ path: [], message: 'invalid value', facts }] };
  }
  const literals: Record<string, string> = Object.create(null);
  const mistakes = Object.entries(input ?? {}).flatMap(([name, value]): ArgumentMistake[] => {
    if (!hasArgument(sql, name)) {
      return [{ path: [name], message: unusedArgumentMessage(name, 'notice'), facts: { at: 'key' } }];
    }
    const literal = literalOf(value);
    if (literal === undefined) {
      const facts = { expected: 'text or a number below 2^53', got: describeValue(value) };
      return [{ path: [name], message: 'invalid argument', facts }];
    }
    literals[name] = literal;
    return [];
  });
  return { args: mistakes.length === 0 ? literals : {}, mistakes };
}

/**
 * Returns the SQL literal of an argument. Returns undefined for numbers that YAML cannot read exactly, such as very
 * large numbers, and for all types that cannot be arguments.
 */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return textLiteral(value);
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined;
}

export function unusedArgumentMessage(name: string, kind: 'notice' | 'view'): string {
  return `unknown argument: the ${kind} does not contain {{ ${name} }}`;
}

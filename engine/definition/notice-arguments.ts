import { describeValue, isMapping, type ProblemFacts } from './definition-source.js';
import { hasArgument, type SqlArguments } from './expand-sql.js';

/** A mistake below the `with` of a notice. */
export interface ArgumentMistake {
  /** Names below `with`; empty for `with` itself. */
  readonly path: readonly string[];
  readonly message: string;
  readonly facts: ProblemFacts;
}

/** The values that a definition gives to a shared notice, and what is wrong with them. */
export function readArguments(
  given: unknown,
  sql: string,
): { readonly args: SqlArguments; readonly mistakes: readonly ArgumentMistake[] } {
  if (given !== undefined && !isMapping(given)) {
    const facts = { expected: 'a mapping', got: describeValue(given) };
    return { args: {}, mistakes: [{ path: [], message: 'not a value that this key takes', facts }] };
  }
  const mistakes = Object.entries(given ?? {}).flatMap(([name, value]): ArgumentMistake[] => {
    if (!hasArgument(sql, name)) return [{ path: [name], message: idleArgument(name, 'notice'), facts: { at: 'key' } }];
    if (typeof value === 'string' || typeof value === 'number') return [];
    const facts = { expected: 'text or number', got: describeValue(value) };
    return [{ path: [name], message: 'not a value that an argument takes', facts }];
  });
  return { args: mistakes.length === 0 ? ((given ?? {}) as SqlArguments) : {}, mistakes };
}

export function idleArgument(name: string, kind: 'notice' | 'view'): string {
  return `the ${kind} has no {{ ${name} }}`;
}

import type { RowDifference } from '../../answers/cells/row-difference.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { formatProblem, type Problem } from '../../definitions/problem.js';

/** A place in a definition file or a shared file. Lines and columns count from 1. */
export type Place = Pick<Problem, 'file' | 'line' | 'column'>;

export interface Check {
  /** The subject of the check: the file, a variant of the SQL, an example, a generated request, a column or a fixture. */
  readonly kind: 'definition' | 'variant' | 'example' | 'case' | 'column' | 'fixture';
  readonly name: string;
  readonly ok: boolean;
  readonly expected?: string;
  readonly got?: string;
  /** The differences between expected and returned rows. `expected` and `got` are the first difference. */
  readonly differences?: readonly RowDifference[];
  /** The part of the definition that a failed check concerns. */
  readonly place?: Place;
  /** The duration of the check in milliseconds. */
  readonly ms: number;
}

/** Why a check failed. */
export type Failure = Pick<Check, 'differences' | 'place'> & { readonly expected: string; readonly got: string };

/** The checks of one endpoint, in the order in which they ran. A check that throws is a failed check; the next checks still run. */
export class CheckList {
  readonly all: Check[] = [];
  readonly #stopwatch: () => number;
  readonly #signal: AbortSignal | undefined;

  constructor(stopwatch: () => number, signal: AbortSignal | undefined) {
    this.#stopwatch = stopwatch;
    this.#signal = signal;
  }

  /**
   * Adds a check. `explain` converts errors of `find`; if it returns problems, each is one check. Rejects only if the signal is aborted.
   */
  async add(
    kind: Check['kind'],
    name: string,
    find: () => Promise<Failure | undefined>,
    explain: (error: unknown) => Failure | readonly Problem[],
  ): Promise<void> {
    const started = this.#stopwatch();
    const failure = await find().catch(explain);
    this.#signal?.throwIfAborted();
    if (isList(failure)) return this.addProblems(failure);
    this.all.push({ kind, name, ok: failure === undefined, ...failure, ms: this.#stopwatch() - started });
  }

  /** Adds one failed check per problem of a definition. */
  addProblems(problems: readonly Problem[]): void {
    this.all.push(...problems.map(createProblemCheck));
  }
}

function isList(failure: Failure | readonly Problem[] | undefined): failure is readonly Problem[] {
  return Array.isArray(failure);
}

/** Creates a failed check for a problem of a definition. */
export function createProblemCheck(problem: Problem): Check {
  const { file, line, column } = problem;
  return { kind: 'definition', name: formatProblem(problem), ok: false, place: { file, line, column }, ms: 0 };
}

/**
 * Describes why a request failed. The place of a database error is the part of the author's SQL that its message
 * quotes. Other errors have the place `otherwise`.
 */
export function explainError(endpoint: Endpoint, error: unknown, expected: string, otherwise: Place): Failure {
  const cause = error instanceof EngineError ? error.details.cause : undefined;
  if (!(cause instanceof Error)) return { expected, got: reasonOf(error), place: placeOf(otherwise) };
  return { expected, got: reasonOf(error), place: placeOf(endpoint.query.problem('', cause.message)) };
}

/**
 * Returns the reason of an error, with the first line of the database message for the author. In messages of DuckDB,
 * the other lines show the translated SQL, which the author does not know.
 */
export function reasonOf(error: unknown): string {
  const cause = error instanceof EngineError ? error.details.cause : undefined;
  const { message = String(error) } = (cause instanceof Error ? cause : (error ?? {})) as Partial<Error>;
  const [line = ''] = message.split('\n');
  return error instanceof EngineError ? `${error.code}: ${line}` : line;
}

export function placeOf({ file, line, column }: Place): Place {
  return { file, line, column };
}

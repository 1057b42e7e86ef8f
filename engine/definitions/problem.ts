/** A mistake in a definition file. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The key in the definition, such as `params.sort.default`; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  /** For a problem in a shared file: the position in the definition that uses the part, as `file:line:column`. */
  readonly usedAt?: string;
}

/** Returns `file:line:column key: message (expected …, got …)`. Editors convert this format to links. */
export function formatProblem(problem: Problem): string {
  const key = problem.key === '' ? '' : ` ${problem.key}:`;
  const facts = [
    problem.expected === undefined ? '' : `expected ${problem.expected}`,
    problem.got === undefined ? '' : `got ${problem.got}`,
    problem.usedAt === undefined ? '' : `used at ${problem.usedAt}`,
  ].filter((fact) => fact !== '');
  return `${formatPlace(problem)}${key} ${problem.message}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** Formats a position as `file:line:column`. */
export function formatPlace({ file, line, column }: Pick<Problem, 'file' | 'line' | 'column'>): string {
  return `${file}:${line}:${column}`;
}

/** Removes repeated problems, which definitions that use the same shared part can have. */
export function deduplicateProblems(problems: readonly Problem[]): Problem[] {
  const distinct = new Map<string, Problem>();
  for (const problem of problems) {
    const key = `${formatPlace(problem)} ${problem.key} ${problem.message}`;
    if (!distinct.has(key)) distinct.set(key, problem);
  }
  return [...distinct.values()];
}

/** Creates a problem of a file or a directory as a whole. */
export function fileProblem(file: string, message: string, cause?: unknown): Problem {
  const reason = cause instanceof Error ? cause.message : cause;
  return { file, line: 1, column: 1, key: '', message: reason === undefined ? message : `${message}: ${reason}` };
}

/** Thrown for invalid definitions. The message lists every problem with file, line and column. */
export class DefinitionsError extends Error {
  override readonly name = 'DefinitionsError';

  constructor(readonly problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
    super(`${count} in the definitions:\n${problems.map((problem) => `  ${formatProblem(problem)}`).join('\n')}`);
  }
}

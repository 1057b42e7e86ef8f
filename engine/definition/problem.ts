/** Something wrong in a definition file, found while loading. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Where in the definition, such as `params.sort.default`; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
}

/** `file:line:column key: message (expected …, got …)`, the form that editors turn into links. */
export function formatProblem(problem: Problem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`;
  const key = problem.key === '' ? '' : ` ${problem.key}:`;
  const facts = [
    problem.expected === undefined ? '' : `expected ${problem.expected}`,
    problem.got === undefined ? '' : `got ${problem.got}`,
  ].filter((fact) => fact !== '');
  return `${place}${key} ${problem.message}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

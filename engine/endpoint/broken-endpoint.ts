import { deduplicateProblems, formatProblem, type Problem } from '../definition/problem.js';
import { EngineError } from '../interface/errors.js';

/** A definition that cannot be served, and why. Its name and path are undefined where the file does not say them clearly. */
export interface BrokenEndpoint {
  readonly name: string | undefined;
  readonly path: string | undefined;
  readonly file: string;
  /** At least one. */
  readonly problems: readonly Problem[];
}

/** What callers of a broken endpoint get: where its definition is wrong, and nothing of its SQL or its file. */
export function brokenEndpointError({ name = 'this endpoint', problems }: BrokenEndpoint): EngineError {
  const [{ line, key } = { line: 1, key: '' }] = problems;
  const place = key === '' ? `line ${line}` : `line ${line}, ${key}`;
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems, the first`;
  const message = `${name} cannot answer: its definition has ${count} (${place}). Its operator finds the reason in the log and by \`endpoint list\`.`;
  return new EngineError('endpoint_broken', message);
}

/** The problems of broken endpoints for operators, each once: two definitions of one route or of one shared part have the same. */
export function formatProblems(broken: readonly Pick<BrokenEndpoint, 'problems'>[]): string[] {
  return deduplicateProblems(broken.flatMap(({ problems }) => problems)).map(formatProblem);
}

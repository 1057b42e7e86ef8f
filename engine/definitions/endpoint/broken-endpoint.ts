import { EngineError } from '../../databases/interface/errors.js';
import { deduplicateProblems, formatProblem, type Problem } from '../problem.js';

/** A definition that cannot be served, with its problems. `name` and `path` are undefined if the file does not have valid ones. */
export interface BrokenEndpoint {
  readonly name: string | undefined;
  readonly path: string | undefined;
  readonly file: string;
  /** Who may read this version, as in `EndpointDefinition`, or `public`; undefined if that is unknown or without effect. */
  readonly access?: readonly string[] | undefined;
  /** The problems of the definition, at least one. */
  readonly problems: readonly Problem[];
}

/** Creates the error for callers of a broken endpoint. The error contains the position of the first problem, but no SQL or file name. */
export function brokenEndpointError({ name = 'this endpoint', problems }: BrokenEndpoint): EngineError {
  const [{ line, key } = { line: 1, key: '' }] = problems;
  const place = key === '' ? `line ${line}` : `line ${line}, ${key}`;
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems, the first`;
  const message = `${name} is unavailable: its definition has ${count} (${place}). Operators find the reason in the log and with \`endpoint list\`.`;
  return new EngineError('endpoint_broken', message);
}

/** Formats the problems of broken endpoints for operators. A problem in a shared part, which several definitions have, appears once. */
export function formatProblems(broken: readonly Pick<BrokenEndpoint, 'problems'>[]): string[] {
  return deduplicateProblems(broken.flatMap(({ problems }) => problems)).map(formatProblem);
}

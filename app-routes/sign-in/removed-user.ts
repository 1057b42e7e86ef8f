import { RemovedUserError } from '../../accounts/users.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';

export function removedUserProblem(): HttpProblem {
  return new HttpProblem('user_not_found', 'An operator removed this user.');
}

/** Rethrows a `RemovedUserError` as an HTTP problem, and any other error unchanged. */
export function throwIfRemoved(error: unknown): never {
  throw error instanceof RemovedUserError ? removedUserProblem() : error;
}

import { RemovedUserError } from '../../accounts/users.js';
import { HttpProblem } from '../../http/problems/http-problem.js';

export function removedUser(): HttpProblem {
  return new HttpProblem('user_not_found', 'This user was removed.');
}

/** Tells callers of users whom an operator removed, also while their request was on its way; throws other errors on. */
export function tellRemoved(error: unknown): never {
  throw error instanceof RemovedUserError ? removedUser() : error;
}

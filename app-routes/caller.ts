import type { Request } from 'express';
import type { User } from '../warehouse/state/users.js';

/** The signed-in user who sends a request, as known when it came. */
export type Caller = User;

/** Who a request is from. Throws `HttpProblem` of 401 without a good credential, of 403 where the user may not go on. */
export type Identify = (request: Request) => Promise<Caller>;

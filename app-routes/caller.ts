import type { Request } from 'express';

/** A signed-in user who sends a request. */
export interface Caller {
  /** As in `/user/`. */
  readonly userId: number;
  /** The login on the hosting platform. */
  readonly login: string;
  readonly isTrusted: boolean;
}

/** Who a request is from. Throws `HttpProblem` of 401 without a good credential, of 403 where the user may not go on. */
export type Identify = (request: Request) => Promise<Caller>;

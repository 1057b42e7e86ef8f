import type { Request } from 'express';

/** The signed-in user who sends a request, as known when it came. */
export interface Caller {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Whether the user gets updates by e-mail. */
  readonly getsUpdates: boolean;
  /** Whether an operator lets the user run SQL. */
  readonly isTrusted: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The account that the user signs in with. */
  readonly provider: string;
  readonly accountId: string;
  readonly login: string;
  readonly avatarUrl: string;
}

/** Who a request is from. Throws `HttpProblem` of 401 without a good credential, of 403 where the user may not go on. */
export type Identify = (request: Request, now: Date) => Promise<Caller>;

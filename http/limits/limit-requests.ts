import type { Request, RequestHandler, Response } from 'express';
import type { TakeTurn } from '../operations/operation.js';
import { HttpProblem } from '../problems/http-problem.js';
import { type Limiter, takeAll, type Usage } from './limiter.js';

/** A limit of requests, and how it shows. */
export interface RequestLimit {
  readonly limiter: Limiter;
  /** Whose request it is; requests with one key share one count. */
  readonly keyOf: (request: Request) => string;
  /** The limit in words: `the limit of 600 requests an hour from one address`. */
  readonly words: string;
  /** Names of the headers that tell the limit and what is left of it; left out where they are not told. */
  readonly headers?: { readonly limit: string; readonly remaining: string };
}

/**
 * Takes one of each limit for a request, and tells its answer what is left. Rejects with `rate_limited` and `Retry-After`, in
 * seconds, where the request is over a limit; it uses up none of the others then.
 */
export function turnsWithin(limits: readonly RequestLimit[]): TakeTurn {
  return async (request) => {
    const usages = await takeAll(limits.map(({ limiter, keyOf }) => ({ limiter, key: keyOf(request) })));
    let longest: { readonly words: string; readonly usage: Usage } | undefined;
    for (const [index, { words, headers }] of limits.entries()) {
      const usage = usages[index];
      if (usage === undefined) continue;
      if (headers !== undefined) tell(request.res, usage, headers);
      if (usage.isOver && usage.resetMs >= (longest?.usage.resetMs ?? 0)) longest = { words, usage };
    }
    if (longest !== undefined) throw refusal(longest.words, longest.usage);
  };
}

/** Lets requests through whose turn it is. */
export function limitRequests(takeTurn: TakeTurn): RequestHandler {
  return async (request, _response, next) => {
    await takeTurn(request);
    next();
  };
}

function tell(response: Response | undefined, usage: Usage, headers: NonNullable<RequestLimit['headers']>): void {
  response?.setHeader(headers.limit, usage.points);
  response?.setHeader(headers.remaining, usage.remaining);
}

function refusal(words: string, { resetMs }: Usage): HttpProblem {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  const message = `This is over ${words}; ask again in ${seconds} s.`;
  return new HttpProblem('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

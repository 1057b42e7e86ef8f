import type { Request, RequestHandler, Response } from 'express';
import { HttpProblem } from '../../app-routes/http-problem.js';
import type { Limiter, Usage } from './limiter.js';

/** A limit of requests, and how it shows. */
export interface RequestLimit {
  readonly limiter: Limiter;
  /** Whose request it is; requests with one key share one count. */
  readonly keyOf: (request: Request) => string;
  /** The limit in words: `the limit of 600 requests an hour from one address`. */
  readonly words: string;
  /** Names of the headers that tell the limit and what is left of it. */
  readonly headers: { readonly limit: string; readonly remaining: string };
}

/**
 * Lets requests through that are within all limits, and tells every answer what is left. Others get 429 `rate_limited` with
 * `Retry-After` in seconds; they use up none of the limits that would have let them through.
 */
export function limitRequests(limits: readonly RequestLimit[]): RequestHandler {
  return async (request, response, next) => {
    const usages = await takeAll(limits.map(({ limiter, keyOf }) => ({ limiter, key: keyOf(request) })));
    let longest: { readonly words: string; readonly usage: Usage } | undefined;
    for (const [index, { words, headers }] of limits.entries()) {
      const usage = usages[index];
      if (usage === undefined) continue;
      tell(response, usage, headers);
      if (usage.isOver && usage.resetMs >= (longest?.usage.resetMs ?? 0)) longest = { words, usage };
    }
    if (longest !== undefined) throw refusal(longest.words, longest.usage);
    next();
  };
}

interface Asked {
  readonly limiter: Limiter;
  readonly key: string;
}

/** Takes one of every limit, or of none. */
async function takeAll(asked: readonly Asked[]): Promise<Usage[]> {
  const known = await peekAll(asked);
  if (known.some(({ remaining }) => remaining === 0)) {
    return known.map((usage) => ({ ...usage, isOver: usage.remaining === 0 }));
  }
  const taken: Usage[] = [];
  for (const { limiter, key } of asked) {
    const usage = await limiter.take(key);
    if (usage.isOver) {
      await Promise.all(asked.slice(0, taken.length).map((earlier) => earlier.limiter.giveBack(earlier.key)));
      return (await peekAll(asked)).map((other, index) => (index === taken.length ? usage : other));
    }
    taken.push(usage);
  }
  return taken;
}

function peekAll(asked: readonly Asked[]): Promise<Usage[]> {
  return Promise.all(asked.map(({ limiter, key }) => limiter.peek(key)));
}

function tell(response: Response, { points, remaining }: Usage, headers: RequestLimit['headers']): void {
  response.setHeader(headers.limit, points);
  response.setHeader(headers.remaining, remaining);
}

function refusal(words: string, { resetMs }: Usage): HttpProblem {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  const message = `This is over ${words}; ask again in ${seconds} s.`;
  return new HttpProblem('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

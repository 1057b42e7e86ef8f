import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { CacheOutcome, ServedAnswer, StoredAnswer } from '../../engine/http/cache/stored-answer.js';

/** Returns an answer that was computed at 1,000,000 s and confirmed 100 s later. */
export function servedAnswer(
  text: string,
  outcome: CacheOutcome = { kind: 'hit', level: 1 },
  changes: Partial<StoredAnswer> = {},
): ServedAnswer {
  const body = Buffer.from(text);
  const answer: StoredAnswer = {
    endpoint: { definition: { limits: {} } } as StoredAnswer['endpoint'],
    parameters: {},
    representation: 'envelope',
    identity: 'one',
    metadataStart: 0,
    body,
    bodyBytes: body.length,
    rows: 0,
    gzip: gzipSync(body),
    brotli: brotliCompressSync(body),
    hash: 'hash',
    facts: undefined,
    nextPage: undefined,
    nextCursor: undefined,
    version: '7.a',
    versions: new Map([['t', '7.a']]),
    computedAt: 1_000_000_000,
    validUntil: Number.POSITIVE_INFINITY,
    staleFrom: Number.POSITIVE_INFINITY,
    ...changes,
  };
  return { answer, outcome, confirmedAt: 1_000_100_000, queryMs: undefined };
}

import type { Answer } from '../../answers/answer.js';
import type { RequestIdentity } from '../../answers/request-identity.js';
import type { DataVersion } from '../../databases/interface/data-versions.js';
import type { CacheRule } from '../../definitions/endpoint/cache-rule.js';
import { ageChangesAt } from '../envelopes/envelope.js';
import { writeBody } from './answer-body.js';
import type { Representation, StoredAnswer } from './stored-answer.js';

export interface Computation {
  readonly identity: RequestIdentity;
  readonly rule: CacheRule;
  readonly representation: Representation;
  /** The system time before the query, in milliseconds since 1970. */
  readonly computedAt: number;
}

/** Creates the answer to store and send from the result of a query. */
export function createAnswer(answer: Answer, computation: Computation): StoredAnswer {
  const { identity, rule, representation, computedAt } = computation;
  const { endpoint, parameters, nextPage, nextCursor, startedAt, finishedAt, versions = NO_VERSIONS } = answer;
  const ofSystem = (ms: number) => ms - startedAt.getTime() + computedAt;
  const isTimed = rule.kind === 'timed';
  const endOfTtl = isTimed ? computedAt + rule.ttlMs : Infinity;
  const validUntil = Math.min(endOfTtl, ofSystem(identity.validUntil));
  return {
    endpoint,
    parameters,
    representation,
    identity: identity.key,
    rows: answer.rows.length,
    ...writeBody(answer, representation, isTimed ? new Date(validUntil) : undefined),
    gzip: undefined,
    brotli: undefined,
    nextPage,
    nextCursor: nextCursor ?? undefined,
    version: isTimed ? undefined : newestOf(versions),
    versions,
    computedAt,
    validUntil,
    staleFrom: ofSystem(ageChangesAt(answer, finishedAt)),
  };
}

/** Whether an answer can be stored: it is complete, and it has a version for every table of the cache rule. */
export function isStorable(answer: Answer, { identity, rule }: Computation): boolean {
  if (rule.kind === 'never' || !answer.isComplete) return false;
  // The keys differ if a new second, hour or day began between reading the request and running its query.
  if (answer.key !== identity.key) return false;
  if (rule.kind === 'timed') return true;
  return answer.versions !== undefined && [...rule.tables].every((table) => answer.versions?.has(table));
}

const NO_VERSIONS: ReadonlyMap<string, DataVersion> = new Map();

function newestOf(versions: ReadonlyMap<string, DataVersion>): DataVersion | undefined {
  let newest: DataVersion | undefined;
  for (const version of versions.values()) {
    if (newest === undefined || Number.parseInt(version, 10) > Number.parseInt(newest, 10)) newest = version;
  }
  return newest;
}

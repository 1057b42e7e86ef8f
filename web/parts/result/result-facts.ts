import type { Result } from '../../api/rows.js';
import { formatAge, formatDuration, formatNumber, formatTime } from '../format/format.js';
import type { IconName } from '../layout/icon.js';

/** A fact about a result that the reader must know. */
export interface ResultFact {
  readonly icon: IconName;
  /** A short label of the fact, such as `Stale`. */
  readonly badge?: string;
  readonly text: string;
  readonly isWarning?: boolean;
}

/** Returns the facts that the reader must know before trusting a result: its age, missing data, and the state of its definition. */
export function factsOf(result: Result, now: number, isPage: boolean): readonly ResultFact[] {
  const { dataAsOf, notices } = result;
  return [
    ...(dataAsOf === null
      ? [{ icon: 'clock', badge: 'Age unknown', text: 'The age of the data is not known.', isWarning: true } as const]
      : [{ icon: 'clock', text: `Data as of ${formatTime(dataAsOf)}, ${formatAge(dataAsOf, now)}` } as const]),
    ...staleFacts(result),
    ...(isPage ? [] : truncatedFacts(result)),
    ...definitionFacts(result),
    ...notices.map((text) => ({ icon: 'info', text }) as const),
  ];
}

/** Returns how the answer was produced, in a few words. */
export function timingOf({ spent, headers }: Result): readonly string[] {
  const { cache, age, queryMs, remainingRequests } = headers;
  return [
    `Query ${formatDuration(queryMs ?? spent * 1000)}`,
    ...(cache === undefined ? [] : [cacheText(cache, age)]),
    ...(remainingRequests === undefined ? [] : [`${formatNumber(remainingRequests)} requests left this hour`]),
  ];
}

function staleFacts({ stale, dataAsOf, headers: { cache = '' } }: Result): readonly ResultFact[] {
  if (!stale) return [];
  const fact = { icon: 'warning', badge: 'Stale', isWarning: true } as const;
  if (cache.includes('detail=unavailable')) {
    return [{ ...fact, text: 'The database does not answer. This is the last answer that was stored.' }];
  }
  if (cache.includes('detail=recomputing')) {
    return [{ ...fact, text: 'This is an earlier answer. The service is computing the new one.' }];
  }
  return dataAsOf === null ? [] : [{ ...fact, text: 'The data are older than their limit.' }];
}

function truncatedFacts({ truncated, data }: Result): readonly ResultFact[] {
  if (!truncated) return [];
  const text = `Only the first ${formatNumber(data.length)} rows. The query has more rows.`;
  return [{ icon: 'filter', badge: 'Truncated', text, isWarning: true }];
}

function definitionFacts({ headers }: Result): readonly ResultFact[] {
  const { outdated, isCanary, deprecated, sunset } = headers;
  const facts: ResultFact[] = [];
  const warn = (badge: string, text: string) => facts.push({ icon: 'warning', badge, text, isWarning: true });
  if (outdated !== undefined) {
    warn(
      'Outdated',
      `Since ${formatTime(outdated)}, the file of this endpoint has problems. Its last good version answers.`,
    );
  }
  if (isCanary) warn('Canary', 'A new version of this endpoint answered, which only some requests get.');
  if (deprecated !== undefined) {
    warn('Deprecated', `Since ${deprecated}.${sunset === undefined ? '' : ` It can stop working after ${sunset}.`}`);
  }
  return facts;
}

function cacheText(status: string, age: number | undefined): string {
  const checked = age === undefined ? '' : `, confirmed ${age === 0 ? 'now' : `${formatDuration(age * 1000)} ago`}`;
  if (status.includes('; hit')) return `Cache hit (${status.includes('redis') ? 'Redis' : 'memory'}${checked})`;
  if (status.includes('fwd=miss')) return 'Cache miss: computed for this request';
  if (status.includes('fwd=stale')) return `Stored answer${checked}`;
  const [, reason = ''] = /detail="((?:[^"\\]|\\.)*)"/.exec(status) ?? [];
  return `Not cached${reason === '' ? '' : `: ${reason.replaceAll(/\\(.)/g, '$1')}`}`;
}

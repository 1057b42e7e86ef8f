import { expect } from 'chai';
import { pageUrl, prepareResponse } from '../../engine/http/cache/send-answer.js';
import type { CacheOutcome, ServedAnswer, StoredAnswer } from '../../engine/http/cache/stored-answer.js';
import { servedAnswer } from './served-answer.js';

/** The time of the request: 5.5 s after the answer was confirmed, and 105.5 s after it was computed. */
const NOW = 1_000_105_500;
const REQUEST = { method: 'GET', headers: {} };
const TTL: Partial<StoredAnswer> = { version: undefined, versions: new Map(), validUntil: 1_000_600_000 };
const NAMES = ['Cache-Control', 'Cache-Status', 'Server-Timing', 'Age', 'ETag', 'X-Data-Version', 'X-Data-Confirmed'];

describe('the headers of stored answers', () => {
  const headersOf = (served: ServedAnswer, request = REQUEST) => {
    const { headers } = prepareResponse(request, served, '/v1/x/', NOW);
    return Object.fromEntries(headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : [])));
  };
  const described = (outcome: CacheOutcome, changes: Partial<StoredAnswer> = {}, queryMs?: number) => {
    const headers = headersOf({ ...servedAnswer('{}', outcome, changes), queryMs });
    return NAMES.map((name) => headers[name]);
  };
  const TIME = '1970-01-12T13:48:20.000Z';

  it('state the age of a hit since its version was confirmed, and require that other caches ask again', () => {
    expect(described({ kind: 'hit', level: 1 })).to.deep.equal([
      'public, no-cache',
      'repo-insight; hit; detail=memory',
      'cache;desc=hit',
      '5',
      '"hash"',
      '7.a',
      TIME,
    ]);
    expect(described({ kind: 'hit', level: 2 })[1]).to.equal('repo-insight; hit; detail=redis');
  });

  it('state the age of an answer with a lifetime since it was computed, and its whole lifetime', () => {
    const [control, , , age, , version] = described({ kind: 'hit', level: 1 }, TTL);
    expect([control, age, version]).to.deep.equal(['public, max-age=600', '105', undefined]);
  });

  it('require that other caches ask again if the answer also depends on a version', () => {
    const [control, , , age] = described({ kind: 'hit', level: 1 }, { ...TTL, versions: new Map([['t', '7.a']]) });
    expect([control, age]).to.deep.equal(['public, no-cache', '105']);
  });

  it('state no age for a computed answer, but the duration of its query', () => {
    expect(described({ kind: 'miss', isCollapsed: false, isStored: true }, {}, 12.345)).to.deep.equal([
      'public, no-cache',
      'repo-insight; fwd=miss; stored',
      'cache;desc=miss, db;dur=12.3',
      undefined,
      '"hash"',
      '7.a',
      TIME,
    ]);
    const status = (isCollapsed: boolean, isStored: boolean) => described({ kind: 'miss', isCollapsed, isStored })[1];
    expect([status(true, true), status(false, false)]).to.deep.equal([
      'repo-insight; fwd=miss; stored; collapsed',
      'repo-insight; fwd=miss',
    ]);
  });

  it('forbid to store a stale answer, which has no ETag', () => {
    const outcome = { kind: 'stale', level: 1, reason: 'unavailable' } as const;
    const [control, status, , age, etag] = described(outcome);
    expect([control, status, age, etag]).to.deep.equal([
      'no-store',
      'repo-insight; fwd=stale; detail=unavailable',
      '5',
      undefined,
    ]);
    const request = { method: 'GET', headers: { 'if-none-match': '"hash"' } };
    expect(prepareResponse(request, servedAnswer('{}', outcome), '/v1/x/', NOW).status).to.equal(200);
  });

  it('state why an answer cannot be stored, as a string of RFC 8941', () => {
    expect(described({ kind: 'bypass', reason: 'the "table" ä' }, TTL).slice(0, 2)).to.deep.equal([
      'public, no-cache',
      'repo-insight; fwd=bypass; detail="the \\"table\\" ?"',
    ]);
  });

  it('are those of a whole answer for a client that has it, but sends no-cache', () => {
    const statusOf = (headers: Record<string, string>) =>
      prepareResponse({ method: 'GET', headers }, servedAnswer('{}'), '/v1/x/', NOW).status;
    const known = { 'if-none-match': '"hash"' };
    const statuses = [known, { ...known, 'cache-control': 'no-cache' }, { ...known, pragma: 'no-cache' }].map(statusOf);
    expect(statuses).to.deep.equal([304, 200, 200]);
  });

  it('never state a negative age', () => {
    expect(headersOf({ ...servedAnswer('{}'), confirmedAt: NOW + 60_000 }).Age).to.equal('0');
  });

  it('contain the path and query of the next page, without the host of the target', () => {
    const link = (target: string) =>
      prepareResponse(REQUEST, servedAnswer('{}', undefined, { nextPage: 3 }), target, NOW).headers.at(-1);
    expect([
      link('/v1/x/?page=2&a=%C3%A4'),
      link('http://h.example/v1/x/'),
      pageUrl('/v1/x?page=1&page=2', { page: '3' }),
    ]).to.deep.equal(['</v1/x/?page=3&a=%C3%A4>; rel="next"', '</v1/x/?page=3>; rel="next"', '/v1/x?page=3']);
  });
});

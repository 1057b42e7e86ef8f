import { cellText, choiceText, columnText } from '../../engine/charts/label-text.js';
import { type Authentication, admit, requestingClientOf } from '../../engine/http/access/authentication.js';
import type { AnswerCache } from '../../engine/http/cache/answer-cache.js';
import { checkedHeaders } from '../../engine/http/cache/cache-headers.js';
import { acceptsCached, isUnchanged } from '../../engine/http/cache/send-answer.js';
import type { StoredAnswer } from '../../engine/http/cache/stored-answer.js';
import { namedRequest } from '../../engine/http/definitions/definition-routes.js';
import type { NamedQueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import type { OperationRequest, Reply } from '../../engine/http/operations/operation.js';
import { recordOf } from '../../engine/http/request-record.js';
import { queryText, readQuery } from '../../engine/http/requests/read-request.js';
import type { Endpoint, Engine, RawParameters } from '../../engine/index.js';

export interface ResultParts {
  readonly engine: Engine;
  readonly cache: Pick<AnswerCache, 'serve'>;
  readonly authentication: Authentication;
}

/** The result of a definition, for an image, a badge or a feed. It shares one stored answer with `/q`. */
export interface SharedResult {
  readonly answer: StoredAnswer;
  readonly isStale: boolean;
}

/** Reads the result of a definition with the parameters in the query of a request, without those whose names begin with `_`. */
export async function readResult(
  { engine, cache, authentication }: ResultParts,
  { http, signal, response }: OperationRequest,
  name: string,
): Promise<SharedResult> {
  const target = `/q/${encodeURIComponent(name)}${definitionQuery(http.originalUrl)}`;
  const wanted = await admit(
    namedRequest(engine, name, target),
    requestingClientOf(authentication, http, response),
    (endpoint, raw) => engine.select(endpoint, raw, target),
  );
  const isNewestRequired = !acceptsCached(http.headers);
  const requestId = recordOf(response).id;
  const { answer, outcome } = await cache.serve({ ...wanted, isNewestRequired, signal, requestId });
  return { answer, isStale: outcome.kind === 'stale' };
}

/** Creates the reply with a result in another form, whose hash identifies its version. */
export function replyWith(
  { http }: Pick<OperationRequest, 'http'>,
  { answer: { endpoint }, isStale }: SharedResult,
  { body, type, hash, headers = {} }: Pick<Reply, 'body' | 'type' | 'headers'> & { readonly hash: string },
): Reply {
  const etag = `W/"${hash}"`;
  return {
    ...(!isStale && isUnchanged(http.headers, etag) ? { status: 304 } : { body, ...(type !== undefined && { type }) }),
    headers: {
      ...headers,
      // The next commit can change a stale result without notice, so it must not be cached.
      ...(isStale ? { 'Cache-Control': 'no-store' } : { ...checkedHeaders(endpoint), ETag: etag }),
    },
  };
}

/** Returns the part of a query string that the definition reads, with a question mark; empty without such a part. */
export function definitionQuery(target: string): string {
  const pairs = queryText(target)
    .split('&')
    .filter((pair) => pair !== '' && !isOfView(pair));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Returns the values in a query string that the definition reads. Throws `bad_parameter` if the query is not readable. */
export function chosenValues(target: string): RawParameters['query'] {
  return Object.fromEntries(Object.entries(readQuery(target)).filter(([name]) => !isOfView(name)));
}

/** Returns the values in a query string that belong to the view. Throws `bad_parameter` if the query is not readable. */
export function viewValues(target: string): RawParameters['query'] {
  return Object.fromEntries(Object.entries(readQuery(target)).filter(([name]) => isOfView(name)));
}

/** Whether a parameter belongs to the view. Such names begin with `_`, so that they cannot collide with parameters of definitions. */
function isOfView(name: string): boolean {
  return name.startsWith('_');
}

/**
 * Returns parameter values as a subtitle. Without it, two results of a definition would look the same. An allowed value that is the name of
 * a column has its label, and other allowed values are written in words.
 */
export function subtitleOf(values: RawParameters['query'], { definition, parameters }: Endpoint): string {
  const labels = new Map(definition.columns.map(({ col, label }) => [col, label]));
  return Object.entries(values)
    .map(([name, value]) => {
      const isChoice = parameters[name]?.enum !== undefined;
      const texts = [value].flat().map((text) => (isChoice ? (labels.get(text) ?? choiceText(text)) : text));
      return `${columnText({ name })}: ${cellText(texts.join(', '))}`;
    })
    .join(' · ');
}

/** Returns what a reader must know about a result: its notices, and whether it is stale or from an earlier version of its definition. */
export function warningsOf({ endpoint }: StoredAnswer, { notices, stale }: NamedQueryEnvelope): readonly string[] {
  return [
    ...outdatedWarnings(endpoint),
    ...(stale ? ['Stale: the data are older than their limit, or their age is not known.'] : []),
    ...notices,
  ];
}

/** Returns the warning about a definition whose file has problems, so that an earlier version answers. */
export function outdatedWarnings({ outdatedSince }: Endpoint): readonly string[] {
  return outdatedSince === undefined
    ? []
    : [`Outdated: the definition has problems since ${outdatedSince.toISOString()}.`];
}

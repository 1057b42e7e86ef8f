import type { Endpoint } from '../../engine/index.js';

/** Returns the content of an endpoint as plain values. */
export function contentOf({ definition, parameters, query, dataAsOf, computedAt, notices }: Endpoint) {
  const metadataTexts = [dataAsOf, computedAt, ...notices.map((notice) => notice.query)].map((one) => one?.texts);
  return { definition, parameters, texts: query.texts, used: query.parameters, metadataTexts };
}

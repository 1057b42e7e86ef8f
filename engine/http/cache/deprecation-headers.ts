import type { EndpointDefinition } from '../../definitions/definition.js';

/** The headers of answers of deprecated endpoints. */
export const DEPRECATION_HEADERS = ['Deprecation', 'Sunset'] as const;

/**
 * Returns the deprecation headers for answers of a definition: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). Each header contains the
 * start of its day in UTC. In the list, each name is followed by its value. Empty if the endpoint is not deprecated.
 */
export function deprecationHeaders({ deprecated, sunset }: EndpointDefinition): readonly string[] {
  if (deprecated === undefined) return NONE;
  const [deprecation, end] = DEPRECATION_HEADERS;
  const headers = [deprecation, `@${Date.parse(deprecated) / 1000}`];
  return sunset === undefined ? headers : [...headers, end, new Date(sunset).toUTCString()];
}

const NONE: readonly string[] = [];

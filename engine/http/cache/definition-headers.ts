import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { DEPRECATION_HEADERS, deprecationHeaders } from './deprecation-headers.js';

/** The headers about definitions that scripts of other origins may read (CORS). */
export const DEFINITION_HEADERS = ['X-Definition-Canary', 'X-Definition-Outdated', ...DEPRECATION_HEADERS];

/** Adds the headers about the definition of an answer. In `list`, each name is followed by its value. */
export function addDefinitionHeaders(list: string[], { definition, outdatedSince, isCandidate }: Endpoint): void {
  if (isCandidate) list.push('X-Definition-Canary', 'candidate');
  if (outdatedSince !== undefined) list.push('X-Definition-Outdated', outdatedSince.toISOString());
  list.push(...deprecationHeaders(definition));
}

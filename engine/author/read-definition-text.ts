import type { PrivateData } from '../../sql/reading/private-data.js';
import { createSqlReader } from '../../sql/reading/sql-reader.js';
import { parseDefinition } from '../definition/definition-source.js';
import { expandDefinition } from '../definition/expand-definition.js';
import type { Problem } from '../definition/problem.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { checkEndpoint } from '../load/endpoint-check.js';

/** Checks the text of a definition that uses no shared parts and is not saved yet. `file` is its name in problems. */
export function readDefinitionText(
  file: string,
  text: string,
  privateData?: PrivateData,
): { readonly endpoint: Endpoint } | { readonly problems: readonly Problem[] } {
  const source = parseDefinition(file, Buffer.from(text));
  if (!('value' in source)) return { problems: [source] };
  const result = checkEndpoint(expandDefinition(source, []), createSqlReader(privateData));
  return 'definition' in result ? { endpoint: result } : { problems: result };
}

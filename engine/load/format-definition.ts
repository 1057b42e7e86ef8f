import { dump } from 'js-yaml';
import type { Endpoint } from '../endpoint/endpoint.js';

/** Formats a definition as YAML with every shared part expanded. A file with this text defines the same endpoint. */
export function formatDefinition({ expanded }: Pick<Endpoint, 'expanded'>): string {
  return dump(expanded, { lineWidth: -1, noRefs: true });
}

import { dump } from 'js-yaml';
import type { Endpoint } from '../endpoint/endpoint.js';

/** The definition as YAML with every shared part written out; a file with this text is the same endpoint. */
export function formatDefinition({ written }: Pick<Endpoint, 'written'>): string {
  return dump(written, { lineWidth: -1, noRefs: true });
}

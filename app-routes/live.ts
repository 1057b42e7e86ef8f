import { exactObject } from '../engine/http/json-schema.js';
import type { Operation } from '../engine/http/operations/operation.js';

/**
 * `GET /livez` answers 200 if the process can answer requests. The operation checks nothing else, so that a process manager does not
 * restart the service when the database is unavailable.
 */
export function liveOperation(): Operation {
  return {
    id: 'live',
    method: 'get',
    path: '/livez',
    tag: 'Service',
    summary: 'Reports that the process answers',
    description: 'Checks nothing else: `/readyz` reports whether the service can answer requests.',
    access: 'open',
    limit: 'none',
    answer: exactObject('Live', { live: { type: 'boolean' } }),
    handle: () => ({ headers: { 'Cache-Control': 'no-store' }, body: { live: true } }),
  };
}

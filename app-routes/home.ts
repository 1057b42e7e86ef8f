import { exactObject } from '../engine/http/json-schema.js';
import type { Operation } from '../engine/http/operations/operation.js';

/** What a service is about, for people and programs. */
export interface About {
  readonly name: string;
  readonly description: string;
}

export interface ServiceDescription extends About {
  readonly version: string;
  /** Paths of the service, keyed by link text. */
  readonly links: Readonly<Record<string, string>>;
}

/** `GET /` returns JSON about the service. Browsers get the start page of the console (`console/shell.ts`). */
export function homeOperation(service: ServiceDescription): Operation {
  return {
    id: 'home',
    method: 'get',
    path: '/',
    tag: 'Service',
    summary: 'Describes the service and links to its documentation',
    description: 'Browsers get the start page of the console.',
    access: 'open',
    answer: HOME,
    otherTypes: ['text/html'],
    handle: () => ({ vary: 'Accept', body: service }),
  };
}

const STRING = { type: 'string' };
const HOME = exactObject('Service', {
  name: STRING,
  version: STRING,
  description: STRING,
  links: { type: 'object', additionalProperties: STRING },
});

import type { RequestListener } from 'node:http';
import { NO_AUTHENTICATION } from '../../engine/http/access/authentication.js';
import { answerDefinitions, type DefinitionParts } from '../../engine/http/definitions/answer-definitions.js';

/** Creates the request path of definitions with a test cache, and without rate limits, common headers and compression. */
export function answerWith(
  parts: Pick<DefinitionParts, 'cache' | 'requests'> & Partial<DefinitionParts>,
): RequestListener {
  return answerDefinitions({
    findDefinition: () => undefined,
    authentication: NO_AUTHENTICATION,
    engine: { identify: unused, select: unused, stream: unused },
    limits: { limits: [], onLimited: () => {} },
    commonHeaders: [],
    prefixes: ['/v1'],
    addressOf: ({ socket }) => socket.remoteAddress,
    compress: () => {},
    clock: () => new Date(0),
    report: () => {},
    others: (_request, response) => void response.end('others'),
    ...parts,
  });
}

const unused = () => {
  throw new Error('no query runs');
};

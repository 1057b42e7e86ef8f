import { createHash } from 'node:crypto';
import type { Endpoint } from '../../../engine/index.js';
import type { Operation, Reply } from '../../operations/operation.js';
import { describeService } from '../describe-service.js';
import { type OpenApi, writeOpenApi } from './openapi.js';
import { type Swagger, writeSwagger } from './swagger.js';

export interface Documents {
  openApi(): OpenApi;
  swagger(): Swagger;
  /** The operations that were given, and those that answer with these documents, each of which is written when it is asked for. */
  readonly operations: readonly Operation[];
}

/** The description of all operations, those that answer with it included. `sessionCookie` is set where people can sign in. */
export function writeDocuments(
  endpoints: readonly Endpoint[],
  given: readonly Operation[],
  sessionCookie?: string,
): Documents {
  const describe = () => describeService(endpoints, operations, sessionCookie);
  const openApi = () => writeOpenApi(describe());
  const swagger = () => writeSwagger(describe());
  const operations: readonly Operation[] = [
    ...given,
    documentOperation('openapi', '/openapi.json', 'OpenAPI 3.1', openApi),
    documentOperation('swagger', '/docs/json', 'Swagger 2.0', swagger),
  ];
  return { openApi, swagger, operations };
}

function documentOperation(id: string, path: string, format: string, write: () => OpenApi | Swagger): Operation {
  let reply: Reply | undefined;
  return {
    id,
    method: 'get',
    path,
    tag: 'Service',
    summary: `This description as ${format}`,
    access: 'open',
    answer: { type: 'object' },
    statuses: [200, 304],
    headers: { ETag: 'Which version it is: with it in `If-None-Match`, what has not changed is not sent again.' },
    handle: () => {
      reply ??= replyOf(write());
      return reply;
    },
  };
}

/** Written once: the text goes out as it is. */
function replyOf(document: OpenApi | Swagger): Reply {
  const body = JSON.stringify(document);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, type: 'json', headers: { ETag: `W/"${hash}"`, 'Cache-Control': 'no-cache' } };
}

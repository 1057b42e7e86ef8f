import { createHash } from 'node:crypto';
import type { Operation, Reply } from '../../app-routes/operation.js';
import type { Endpoint } from '../../engine/index.js';
import { describeService } from './describe-service.js';
import { type OpenApi, writeOpenApi } from './openapi.js';
import { type Swagger, writeSwagger } from './swagger.js';

export interface Documents {
  readonly openApi: OpenApi;
  readonly swagger: Swagger;
  /** The operations that were given, and those that answer with these documents. */
  readonly operations: readonly Operation[];
}

/** The description of all operations, those that answer with it included. `sessionCookie` is set where people can sign in. */
export function writeDocuments(
  endpoints: readonly Endpoint[],
  given: readonly Operation[],
  sessionCookie?: string,
): Documents {
  const operations = [
    ...given,
    documentOperation('openapi', '/openapi.json', 'OpenAPI 3.1', () => openApiReply),
    documentOperation('swagger', '/docs/json', 'Swagger 2.0', () => swaggerReply),
  ];
  const description = describeService(endpoints, operations, sessionCookie);
  const [openApi, swagger] = [writeOpenApi(description), writeSwagger(description)];
  const [openApiReply, swaggerReply] = [replyOf(openApi), replyOf(swagger)];
  return { openApi, swagger, operations };
}

function documentOperation(id: string, path: string, format: string, reply: () => Reply): Operation {
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
    handle: reply,
  };
}

/** Written once: the text goes out as it is. */
function replyOf(document: OpenApi | Swagger): Reply {
  const body = JSON.stringify(document);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, type: 'json', headers: { ETag: `W/"${hash}"`, 'Cache-Control': 'no-cache' } };
}

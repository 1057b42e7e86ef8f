import { type CurrentDefinitions, derive } from '../../../answers/live/derive.js';
import { chooseEncoding, compressAnswer, hashOf } from '../../cache/answer-body.js';
import { sendUncompressed } from '../../cache/send-answer.js';
import type { Operation, Reply } from '../../operations/operation.js';
import { describeService, type ServiceFacts } from '../describe-service.js';
import { type OpenApi, writeOpenApi, writeOpenApi30 } from './openapi.js';
import { type Swagger, writeSwagger } from './swagger.js';

export interface Documents {
  openApi(): OpenApi;
  openApi30(): OpenApi;
  swagger(): Swagger;
  /**
   * The hand-written operations, and one operation per document. A document is written when it is requested for the
   * first time after a load of the definitions.
   */
  readonly operations: readonly Operation[];
}

/**
 * Describes all operations, including those that return the documents themselves. Documents are written again after a
 * reload of the definitions.
 */
export function writeDocuments(
  definitions: CurrentDefinitions,
  handWritten: readonly Operation[],
  facts: ServiceFacts = {},
): Documents {
  const describe = () => describeService(definitions.endpoints, operations, facts);
  const openApi = () => writeOpenApi(describe());
  const openApi30 = () => writeOpenApi30(describe());
  const swagger = () => writeSwagger(describe());
  const operations: readonly Operation[] = [
    ...handWritten,
    documentOperation(
      'openapi',
      '/openapi.json',
      'OpenAPI 3.1',
      derive(definitions, () => createReply(openApi())),
    ),
    documentOperation(
      'openapi-3-0',
      '/openapi-3.0.json',
      'OpenAPI 3.0',
      derive(definitions, () => createReply(openApi30())),
    ),
    documentOperation(
      'swagger',
      '/docs/json',
      'Swagger 2.0',
      derive(definitions, () => createReply(swagger())),
    ),
  ];
  return { openApi, openApi30, swagger, operations };
}

function documentOperation(id: string, path: string, format: string, reply: () => Promise<Reply>): Operation {
  return {
    id,
    method: 'get',
    path,
    tag: 'Service',
    summary: `This description as ${format}`,
    access: 'open',
    answer: { type: 'object' },
    statuses: [200, 304],
    headers: { ETag: 'The version of the document. Send it in `If-None-Match` to get 304 if it has not changed.' },
    handle: reply,
  };
}

/** Creates the reply with a document. The document is serialized and compressed once, and every request gets the same bytes. */
async function createReply(document: OpenApi | Swagger): Promise<Reply> {
  const body = Buffer.from(JSON.stringify(document));
  const encoded = await compressAnswer({ body, bodyBytes: body.length, gzip: undefined, brotli: undefined });
  return {
    headers: { ETag: `W/"${hashOf(body)}"`, 'Cache-Control': 'no-cache' },
    vary: 'Accept-Encoding',
    send: async (request, response) => {
      const { encoding, bytes } = chooseEncoding(encoded, request.headers['accept-encoding'], true);
      if (bytes !== undefined) sendUncompressed(response);
      if (bytes !== undefined && encoding !== 'identity') response.set('Content-Encoding', encoding);
      response.type('json').send(bytes ?? body);
    },
  };
}

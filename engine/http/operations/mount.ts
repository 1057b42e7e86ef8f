import { type Request, type Response, Router } from 'express';
import { requireAccess } from '../../definitions/access/require-access.js';
import { createParameterReader } from '../../definitions/parameters/parameter-values.js';
import type { Principal } from '../../definitions/principal.js';
import { describeFailure, recordFailure } from '../problems/error-answers.js';
import { HttpProblem } from '../problems/http-problem.js';
import { recordOf } from '../request-record.js';
import { abortOnClose, rawParameters } from '../requests/read-request.js';
import { createBodyReader } from '../requests/request-body.js';
import { allowOnly, allowWithoutHead } from './allowed-methods.js';
import type { Identify } from './caller.js';
import type {
  CallerOperation,
  OpenOperation,
  Operation,
  OperationRequest,
  PersonalOperation,
  RateLimits,
  Reply,
} from './operation.js';
import { compareSpecificity, expressPath } from './route-path.js';
import { sendEvents } from './send-events.js';

export interface MountParts {
  readonly identify: Identify;
  /** Returns the caller of a request for a `CallerOperation`; undefined without a credential. Throws `HttpProblem`. */
  readonly authenticate: (request: Request, response: Response) => Promise<Principal | undefined>;
  readonly clock: () => Date;
  readonly rateLimits: RateLimits;
  /** Maximum size of a request body, for example `100kb`. */
  readonly bodyLimit: string;
}

/**
 * Creates the routes of operations. A request is checked in this order: credential of a user, rate limits, access of a caller, parameters,
 * body.
 */
export function mount(all: readonly Operation[], parts: MountParts): Router {
  const router = Router({ caseSensitive: true });
  const operations = all.filter((operation) => operation.handle !== 'definitions');
  const paths = new Set(operations.map(({ path }) => expressPath(path)));
  for (const path of [...paths].sort(compareSpecificity)) {
    const route = router.route(path);
    const ofPath = operations.filter((operation) => expressPath(operation.path) === path);
    const methods = ofPath.map(({ method }) => method.toUpperCase());
    const rejectsHead = ofPath.some((operation) => operation.rejectsHead);
    const rejectMethod = rejectsHead ? allowWithoutHead(...methods) : allowOnly(...methods);
    // HEAD needs a separate handler here, because express otherwise calls the handler of GET for it.
    if (rejectsHead) route.head(rejectMethod);
    for (const operation of ofPath) route[operation.method](createHandler(operation, parts));
    route.all(rejectMethod);
  }
  return router;
}

type Handler = (request: Request, response: Response) => Promise<void>;

function createHandler(
  operation: OpenOperation | CallerOperation | PersonalOperation,
  { identify, authenticate, clock, rateLimits, bodyLimit }: MountParts,
): Handler {
  const { limit = 'general' } = operation;
  const readParameters = createParameterReader(operation.parameters ?? {});
  const readBody = operation.body && createBodyReader(operation.body, bodyLimit);
  const read = async (http: Request, response: Response, now: Date): Promise<OperationRequest> => {
    const signal = abortOnClose(response);
    if (limit !== 'none') await rateLimits[limit](http);
    const principal = operation.access === 'caller' ? await readCaller(operation, http, response) : undefined;
    const { path, query } = rawParameters(http);
    const parameters = readParameters({ path, query: operation.anyQuery ? {} : query });
    return { now, parameters, body: await readBody?.(http, response), principal, signal, http, response };
  };
  const readCaller = async ({ definition }: CallerOperation, http: Request, response: Response) => {
    const principal = await authenticate(http, response);
    requireAccess(definition, principal);
    return principal;
  };
  if (operation.access === 'open' || operation.access === 'caller') {
    return async (http, response) => {
      recordOf(response).operation = operation.id;
      if (operation.isPrivate || operation.access === 'caller') response.set('Cache-Control', 'no-store');
      try {
        await send(http, response, await operation.handle(await read(http, response, clock())));
      } catch (error) {
        sendFailurePage(operation, http, response, error);
      }
    };
  }
  return async (http, response) => {
    recordOf(response).operation = operation.id;
    // Caches between the service and the user must not store answers with personal data.
    response.set('Cache-Control', 'no-store');
    const now = clock();
    const { acceptsKeys } = operation;
    const caller = await identify(http, now, { acceptsKeys });
    if (operation.access === 'trusted' && !caller.isTrusted) {
      throw new HttpProblem(
        'not_trusted',
        `The user ${caller.login} may not use this operation; an operator can grant it.`,
      );
    }
    if (operation.method !== 'get') await rateLimits.change(http, caller);
    await send(http, response, await operation.handle({ ...(await read(http, response, now)), caller }));
  };
}

/** If the client is a browser and the operation has an error page, sends this page. Otherwise throws the error. */
function sendFailurePage({ failurePage }: Operation, http: Request, response: Response, error: unknown): void {
  if (failurePage === undefined || response.headersSent) throw error;
  response.vary('Accept');
  // A client without a preference gets the first type.
  if (http.accepts(['application/problem+json', 'application/json', 'text/html']) !== 'text/html') throw error;
  recordFailure(response, error);
  const { status, message, headers } = describeFailure(error);
  response.status(status).set(headers).set('Content-Security-Policy', PAGE_POLICY);
  response.type('html').send(failurePage({ status, message, http, response }));
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async function send(request: Request, response: Response, reply: Reply): Promise<void> {
  const { body, type, events, send: sendBody, status = 200, headers = {}, vary, location } = reply;
  response.status(status).set(headers);
  // `response.vary` keeps the header names that other middleware added.
  if (vary !== undefined) response.vary(vary);
  if (location !== undefined) response.location(location);
  if (sendBody !== undefined) await sendBody(request, response);
  else if (events !== undefined) await sendEvents(request, response, events);
  else if (body === undefined) response.end();
  else if (type === undefined) response.json(body);
  else response.type(type).send(body);
}

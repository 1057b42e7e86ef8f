import { type Request, type Response, Router } from 'express';
import { createParameterReader } from '../../engine/index.js';
import { HttpProblem } from '../problems/http-problem.js';
import { abortOnClose, rawParameters } from '../requests/read-request.js';
import { createBodyReader } from '../requests/request-body.js';
import { allowNoHead, allowOnly } from './allowed-methods.js';
import type { Identify } from './caller.js';
import type { Operation, OperationRequest, RateLimits, Reply } from './operation.js';
import { bySpecificity, expressPath } from './route-path.js';

export interface MountParts {
  readonly identify: Identify;
  readonly clock: () => Date;
  readonly rateLimits: RateLimits;
  /** The most bytes of a request body, such as `100kb`. */
  readonly bodyLimit: string;
}

/** The routes of operations: who calls is looked at first, then the limits, the parameters and the body. */
export function mount(operations: readonly Operation[], parts: MountParts): Router {
  const router = Router({ caseSensitive: true });
  const paths = new Set(operations.map(({ path }) => expressPath(path)));
  for (const path of [...paths].sort(bySpecificity)) {
    const route = router.route(path);
    const served = operations.filter((operation) => expressPath(operation.path) === path);
    const methods = served.map(({ method }) => method.toUpperCase());
    const refusesHead = served.some((operation) => operation.refusesHead);
    const refuse = refusesHead ? allowNoHead(...methods) : allowOnly(...methods);
    // Without a handler of its own, HEAD gets the handler of GET.
    if (refusesHead) route.head(refuse);
    for (const operation of served) route[operation.method](answerer(operation, parts));
    route.all(refuse);
  }
  return router;
}

type Answerer = (request: Request, response: Response) => Promise<void>;

function answerer(operation: Operation, { identify, clock, rateLimits, bodyLimit }: MountParts): Answerer {
  const readParameters = createParameterReader(operation.parameters ?? {});
  const readBody = operation.body && createBodyReader(operation.body, bodyLimit);
  const read = async (http: Request, response: Response, now: Date): Promise<OperationRequest> => {
    const signal = abortOnClose(response);
    if (operation.limit !== undefined) await rateLimits[operation.limit](http);
    const { path, query } = rawParameters(http);
    const parameters = readParameters({ path, query: operation.anyQuery ? {} : query });
    return { now, parameters, body: await readBody?.(http, response), signal, http, response };
  };
  if (operation.access === 'open') {
    return async (http, response) => {
      if (operation.isPrivate) response.set('Cache-Control', 'no-store');
      send(response, await operation.handle(await read(http, response, clock())));
    };
  }
  return async (http, response) => {
    // What is one person's must not stay in a cache between them and here.
    response.set('Cache-Control', 'no-store');
    const now = clock();
    const caller = await identify(http, now);
    if (operation.access === 'trusted' && !caller.isTrusted) {
      throw new HttpProblem(
        'not_trusted',
        `${caller.login} is not among the users whom the operators trust with this.`,
      );
    }
    if (operation.method !== 'get') await rateLimits.change(http, caller);
    send(response, await operation.handle({ ...(await read(http, response, now)), caller }));
  };
}

function send(response: Response, { body, type, status = 200, headers = {}, vary, location }: Reply): void {
  response.status(status).set(headers);
  // Other parts may have named headers already.
  if (vary !== undefined) response.vary(vary);
  if (location !== undefined) response.location(location);
  if (body === undefined) response.end();
  else if (type === undefined) response.json(body);
  else response.type(type).send(body);
}

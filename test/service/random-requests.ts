import { Agent } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { type AnswerCheck, createAnswerCheck, type Document } from './answer-check.js';
import { type DemoService, startDemoService, tokenOf, waitForPlayground } from './demo-service.js';
import { fuzzRequests } from './fuzz-requests.js';
import { useRequestedDemo } from './requested-service.js';
import { send } from './send.js';

/** Sends this number of random requests to a service on the embedded database. */
export function describeRandomRequests(requests: number, seed: number): void {
  describe('a service that gets random requests', () => answersAsDescribed(useRequestedDemo(), requests, seed));
}

/** Sends this number of random requests to a service on a server. */
export function describeRandomRequestsOnServer(requests: number, seed: number): void {
  describe(`a service on ${SERVER} that gets random requests`, () => {
    const server = useMysql();
    let demo: DemoService | undefined;
    before(async () => {
      demo = await startDemoService(server.environment);
      await waitForPlayground(demo);
    });
    after(() => demo?.close());
    const service = {
      get demo() {
        return demo as DemoService;
      },
    };
    answersAsDescribed(service, requests, seed);
  });
}

function answersAsDescribed(service: { readonly demo: DemoService }, numRuns: number, seed: number): void {
  const agent = new Agent({ keepAlive: true });
  let demo: DemoService;
  let check: AnswerCheck;
  let document: Document;
  let token: string;
  before(async () => {
    demo = service.demo;
    const text = await (await demo.get('/openapi.json')).text();
    document = JSON.parse(text) as Document;
    check = createAnswerCheck(text);
    token = await tokenOf('fuzzer');
  });
  after(() => agent.destroy());

  it('answers every request as described, without an internal error', async () => {
    const statuses = new Set<number>();
    const property = fc.asyncProperty(fuzzRequests(document, token), async (request) => {
      const answer = await send(demo.service.url, agent, request);
      statuses.add(answer.status);
      const difference = check(answer);
      if (difference !== undefined) throw new Error(difference);
      const what = `${request.method} ${request.path}: ${answer.body}`;
      expect(answer.status, what).to.be.below(500);
      // The deletion of an account must repeat the login, and a digest needs the name of a time zone. Random texts are neither.
      const needsName = ['DELETE /user/', 'PUT /user/digest/'].includes(`${request.method} ${request.path}`);
      if (request.isValid && !needsName) expect(AS_MALFORMED, what).to.not.include(answer.status);
    });
    await fc.assert(property, { numRuns, seed });
    expect([...statuses]).to.include.members([200, 400, 401, 404]);
  });
}

const AS_MALFORMED = [400, 401, 405, 413, 415];

import { Agent } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { onBothDatabases } from '../services/mysql.js';
import { type AnswerCheck, createAnswerCheck, type Document } from './answer-check.js';
import { type DemoService, startDemoService, tokenOf } from './demo-service.js';
import { fuzzRequests } from './fuzz-requests.js';
import { send } from './send.js';

/** `FUZZ_REQUESTS=10000 FUZZ_SEED=7 npx mocha dist/test/service/fuzz.test.js` sends more and different requests. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 200);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

onBothDatabases('a service that gets random requests', answersAsDescribed);

function answersAsDescribed(environment: () => Readonly<Record<string, string>>): void {
  const agent = new Agent({ keepAlive: true });
  let demo: DemoService;
  let check: AnswerCheck;
  let document: Document;
  let token: string;
  before(async () => {
    demo = await startDemoService({ PLAYGROUND_PER_MINUTE: '0', ...environment() }, 3_000);
    const text = await (await demo.get('/openapi.json')).text();
    document = JSON.parse(text) as Document;
    check = createAnswerCheck(text);
    token = await tokenOf('fuzzer', {}, 3_600);
  });
  after(async () => {
    agent.destroy();
    await demo?.close();
  });

  it('answers every request as described, without an internal error', async () => {
    const statuses = new Set<number>();
    const property = fc.asyncProperty(fuzzRequests(document, token), async (request) => {
      const answer = await send(demo.service.url, agent, request);
      statuses.add(answer.status);
      const difference = check(answer);
      if (difference !== undefined) throw new Error(difference);
      const what = `${request.method} ${request.path}: ${answer.body}`;
      expect(answer.status, what).to.be.below(500);
      if (request.isValid) expect(AS_MALFORMED, what).to.not.include(answer.status);
    });
    await fc.assert(property, { numRuns: REQUESTS, seed: SEED });
    expect([...statuses]).to.include.members([200, 400, 401, 404, 405]);
  });
}

const AS_MALFORMED = [400, 401, 405, 413, 415];

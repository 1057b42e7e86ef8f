import { Agent } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { type AnswerCheck, createAnswerCheck, type Schema } from './answer-check.js';
import { allowedRequest, brokenRequests } from './bounded-requests.js';
import { createUsers, type DemoService, SYSTEM_TIME, tokenOf } from './demo-service.js';
import { type DescribedRequest, describedRequests } from './described-requests.js';
import { useRequestedDemo } from './requested-service.js';
import { send } from './send.js';

export interface BoundsOptions {
  /** The number of random allowed requests. */
  readonly numRuns: number;
  readonly seed: number;
  /** Whether each limit is violated in every operation. Otherwise, a limit that several operations of one kind share is violated once. */
  readonly everyOperation: boolean;
}

/** Sends random allowed requests, and for each limit in the descriptions a request that violates it. */
export function describeBounds(options: BoundsOptions): void {
  describe('the bounds in the descriptions', () => boundsOf(options));
}

function boundsOf({ numRuns, seed, everyOperation }: BoundsOptions): void {
  const shared = useRequestedDemo();
  const agent = new Agent({ keepAlive: true });
  let demo: DemoService;
  let check: AnswerCheck;
  let token: string;
  before(async () => {
    demo = shared.demo;
    check = createAnswerCheck(await (await demo.get('/openapi.json')).text());
    token = await tokenOf('bounded');
    // The user must be trusted, because other users get 403 before the service reads the request.
    await demo.as('bounded', '/user/');
    const users = createUsers(demo.database, demo.state);
    const [user] = await users.findByLogin('bounded');
    await users.setTrusted(user?.id ?? 0, true, SYSTEM_TIME);
  });
  after(() => agent.destroy());

  /** Returns the operations of both descriptions. */
  const described = async (): Promise<DescribedRequest[]> => {
    const documents = ['/openapi.json', '/docs/json'].map(async (path) => (await demo.get(path)).json());
    return (await Promise.all(documents)).flatMap((document) => describedRequests(document as Schema));
  };

  it('are kept by every request that they allow, so that the service accepts it', async () => {
    const requests = (await described()).map((it) => allowedRequest(it, token).map((sent) => ({ sent, it })));
    const property = fc.asyncProperty(fc.oneof(...requests), async ({ sent, it }) => {
      const answer = await send(demo.service.url, agent, sent);
      const difference = check(answer);
      if (difference !== undefined) throw new Error(difference);
      const takes = (name: string) => (it.body?.properties as Schema | undefined)?.[name] !== undefined;
      const what = `${sent.method} ${sent.path} ${sent.body}: ${answer.status} ${answer.body.slice(0, 600)}`;
      // SQL gets 503 while the service copies the tables for the playground. A question may not be answerable (422), or exceed the number
      // of questions of the user (429). A user can have ten API keys (409). The deletion of an account must repeat its login (400).
      const ofKeys = takes('lifetimeDays') ? [201, 409] : [];
      const ofDeletion = sent.method === 'DELETE' && sent.path === '/user/' ? [400] : [];
      const others = [
        ...(takes('sql') ? [422, 503] : []),
        ...(takes('question') ? [422, 429] : []),
        ...ofKeys,
        ...ofDeletion,
      ];
      expect([200, 204, 304, 404, ...others], what).to.include(answer.status);
    });
    await fc.assert(property, { numRuns, seed });
  });

  it('are named by the message that rejects a request that violates one of them', async () => {
    const wrong: string[] = [];
    // A badge has no room for a message.
    const broken = (await described())
      .filter((it) => it.id !== 'endpoint-png' && it.id !== 'badge')
      .flatMap((it) => brokenRequests(it, token));
    // Most limits are in both descriptions, so duplicates are removed. Some limits can only be expressed in one of the descriptions.
    const distinct = new Map(broken.map((it) => [JSON.stringify([it.sent, it.named]), it]));
    const byLimit = new Map([...distinct.values()].map((it) => [it.limit, it]));
    const chosen = [...(everyOperation ? distinct : byLimit).values()];
    for (const { what, sent, named } of chosen) {
      const { status, body } = await send(demo.service.url, agent, sent);
      const message = messageOf(body);
      const missing = named.filter((text) => !message.includes(text));
      if (status !== 400 || missing.length > 0) wrong.push(`${what} → ${status} without ${missing}: ${message}`);
    }
    expect(wrong).to.deep.equal([]);
    expect(broken.length).to.be.greaterThan(1_200);
    expect(distinct.size).to.be.greaterThan(600);
    expect(chosen.length).to.be.greaterThan(200);
  });
}

function messageOf(body: string): string {
  // The error of an image request is an SVG image with the message, in which XML entities must be decoded.
  if (body.startsWith('<svg')) return body.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const { detail, data } = JSON.parse(body) as { detail?: string; data?: { result?: { message?: string } } };
  return detail ?? data?.result?.message ?? '';
}

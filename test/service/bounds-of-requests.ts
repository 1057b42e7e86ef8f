import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DEFINITIONS_FOLDER } from '../../engine/http/package-root.js';
import { type AnswerCheck, createAnswerCheck, type Schema } from './answer-check.js';
import { allowedRequest, brokenRequests } from './bounded-requests.js';
import { createUsers, type DemoService, SYSTEM_TIME, startDemoService, tokenOf } from './demo-service.js';
import { type DescribedRequest, describedRequests } from './described-requests.js';
import { send } from './send.js';

/** Sends this number of random allowed requests, and for each limit in the descriptions one request that violates it. */
export function describeBounds(numRuns: number, seed: number): void {
  describe('the bounds in the descriptions', () => boundsOf(numRuns, seed));
}

function boundsOf(numRuns: number, seed: number): void {
  const agent = new Agent({ keepAlive: true });
  let folder: string;
  let demo: DemoService;
  let check: AnswerCheck;
  let token: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    await cp(DEFINITIONS_FOLDER, folder, { recursive: true });
    await writeFile(join(folder, 'every-kind.yaml'), EVERY_KIND);
    demo = await startDemoService({ ENDPOINTS_DIR: folder });
    check = createAnswerCheck(await (await demo.get('/openapi.json')).text());
    token = await tokenOf('bounded');
    // The user must be trusted, because other users get 403 before the service reads the request.
    await demo.as('bounded', '/user/');
    const users = createUsers(demo.database, demo.state);
    const [user] = await users.findByLogin('bounded');
    await users.setTrusted(user?.id ?? 0, true, SYSTEM_TIME);
  });
  after(async () => {
    agent.destroy();
    await demo?.close();
    await rm(folder, { recursive: true });
  });

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
      // of questions of the user (429).
      const others = [...(takes('sql') ? [422, 503] : []), ...(takes('question') ? [422, 429] : [])];
      expect([200, 304, 404, ...others], what).to.include(answer.status);
    });
    await fc.assert(property, { numRuns, seed });
  });

  it('are named by the message that rejects a request that violates one of them', async () => {
    const wrong: string[] = [];
    const broken = (await described())
      .filter((it) => it.id !== 'endpoint-png')
      .flatMap((it) => brokenRequests(it, token));
    // Most limits are in both descriptions, so duplicates are removed. Some limits can only be expressed in one of the descriptions.
    const distinct = new Map(broken.map((it) => [JSON.stringify([it.sent, it.named]), it]));
    for (const { what, sent, named } of distinct.values()) {
      const { status, body } = await send(demo.service.url, agent, sent);
      const message = messageOf(body);
      const missing = named.filter((text) => !message.includes(text));
      if (status !== 400 || missing.length > 0) wrong.push(`${what} → ${status} without ${missing}: ${message}`);
    }
    expect(wrong).to.deep.equal([]);
    expect(broken.length).to.be.greaterThan(1_200);
    expect(distinct.size).to.be.greaterThan(600);
  });
}

function messageOf(body: string): string {
  // The error of an image request is an SVG image with the message, in which XML entities must be decoded.
  if (body.startsWith('<svg')) return body.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const { detail, data } = JSON.parse(body) as { detail?: string; data?: { result?: { message?: string } } };
  return detail ?? data?.result?.message ?? '';
}

const EVERY_KIND = `name: every-kind
path: /v1/every-kind/{code}/
summary: A parameter of every kind
params:
  code: { in: path, type: string, pattern: "^[a-c]+$", description: Letters }
  short: { in: query, type: string, minLength: 2, maxLength: 5, required: true, description: Text }
  free: { in: query, type: string, description: Any text }
  any: { in: query, type: string, pattern: "b", description: Text with a b }
  whole: { in: query, type: integer, minimum: -5, maximum: 100, description: Whole }
  big: { in: query, type: integer, description: Any integer }
  share: { in: query, type: number, minimum: -1, maximum: 1.5, description: Share }
  real: { in: query, type: number, description: Any number }
  sure: { in: query, type: boolean, description: Yes or no }
  first: { in: query, type: string, format: date, notAfter: last, description: First day }
  last: { in: query, type: string, format: date, default: "2020-01-01", description: Last day }
  kind: { in: query, enum: [rye, wheat, C++], description: Kind }
  size: { in: query, enum: [1, 2, 3], description: Size }
  list: { in: query, type: array, minItems: 2, maxItems: 3, default: [1, 2], items: { type: integer, minimum: 1 }, description: List }
  names: { in: query, type: array, maxItems: 4, default: [rye], items: { type: string, maxLength: 9 }, description: Names }
columns:
  - { col: n, data_type: BIGINT, nullable: false, description: A number }
sql: |
  SELECT COUNT(*) AS n FROM github_repos r
  WHERE r.repo_name IN ({{ code }}, {{ short }}, {{ free }}, {{ any }}, {{ kind }})
    AND r.repo_id IN ({{ list }}) AND r.owner_login IN ({{ names }})
    AND r.stars < {{ whole }} AND r.repo_id < {{ big }} AND r.forks < {{ size }}
    AND r.size < {{ share }} AND r.stars < {{ real }} AND r.is_fork = {{ sure }}
    AND r.created_at BETWEEN {{ first }} AND {{ last }}
examples:
  - { name: one, params: { code: a, short: ab } }
`;

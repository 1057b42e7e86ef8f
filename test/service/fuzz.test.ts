import { Agent, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { useMysql } from '../services/mysql.js';
import { type AnswerCheck, createAnswerCheck, type Document, type SeenAnswer } from './answer-check.js';
import { type DemoService, startDemoService, tokenOf } from './demo-service.js';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.js';

/** `FUZZ_REQUESTS=10000 FUZZ_SEED=7 npx mocha dist/test/service/fuzz.test.js` asks more, and others. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 500);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

describe('any request to a service over the embedded database', () => {
  answersAsDescribed(() => ({}));
});

describe("any request to a service over a server's database", () => {
  const server = useMysql();
  answersAsDescribed(() => ({ DATABASE_URL: server.url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' }));
});

function answersAsDescribed(environment: () => Readonly<Record<string, string>>): void {
  const agent = new Agent({ keepAlive: true });
  let demo: DemoService;
  let check: AnswerCheck;
  let document: Document;
  let token: string;
  before(async function () {
    this.timeout(60_000);
    demo = await startDemoService({ BODY_LIMIT: '20kb', ...environment() }, 3_000);
    const text = await (await demo.get('/openapi.json')).text();
    document = JSON.parse(text) as Document;
    check = createAnswerCheck(text);
    token = await tokenOf('fuzzer', {}, 3_600);
  });
  after(async () => {
    agent.destroy();
    await demo?.close();
  });

  it('gets an answer that the description has, and none tells of a fault of the service', async function () {
    this.timeout(20_000 + REQUESTS * 60);
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
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

function send(url: string, agent: Agent, request: FuzzRequest): Promise<SeenAnswer> {
  const { method, path, headers, body } = request;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = httpRequest({ hostname, port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const header = (name: string) => response.headers[name.toLowerCase()]?.toString() ?? null;
        const decode = DECODERS[header('content-encoding') ?? 'identity'] ?? ((bytes) => bytes);
        const bytes = Buffer.concat(chunks);
        const text = bytes.length === 0 ? '' : decode(bytes).toString();
        resolve({ method, path, status: response.statusCode ?? 0, header, body: text });
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A server may close a connection that it kept just when it is used again; what is new cannot be so.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(url, agent, request));
      else reject(error);
    });
    sent.end(body);
  });
}

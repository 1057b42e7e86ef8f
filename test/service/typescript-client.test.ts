import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { expect } from 'chai';
import { methodNames } from '../../engine/http/description/client/write-client.js';
import { PACKAGE_ROOT } from '../../engine/http/package-root.js';
import type { Endpoint, ParameterDefinition, ParameterValue } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { run } from '../cli/command-line.js';
import { useSharedDemo } from './demo-service.js';

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  types: [],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  outDir: 'out',
  rootDir: '.',
};

/** A program that only compiles if all types are exactly as expected. */
const PROGRAM = `
import { type Answer, type ErrorCode, readPages, RepoInsightClient, RepoInsightError, type ListIssueCreatorsRow } from './client.js';

export async function readRows(baseUrl: string, owner: string, repo: string): Promise<unknown[]> {
  const client = new RepoInsightClient({ baseUrl });
  const sort: 'issues' | 'issues-desc' | 'first_issue_opened_at' | 'first_issue_opened_at-desc' | 'login' | undefined = undefined;
  const answer: Answer<ListIssueCreatorsRow> = await client.listIssueCreators({ owner, repo, page_size: 3, sort });
  const [row] = answer.data;
  if (row === undefined) return [];
  // @ts-expect-error: an unknown column
  void row.no_such_column;
  // @ts-expect-error: a cell that can be missing
  void (row.issues satisfies number);
  // @ts-expect-error: a list that cannot be changed
  answer.data.push(row);
  row satisfies { id: number; login: string; name: string; issues: number | null; first_issue_opened_at: string | null };
  answer satisfies { dataAsOf: string | null; stale: boolean; truncated: boolean; notices: readonly string[] };
  // @ts-expect-error: a missing required parameter
  void (() => client.listIssueCreators({ owner }));
  // @ts-expect-error: an unknown parameter
  void (() => client.listIssueCreators({ owner, repo, pages: 1 }));
  // @ts-expect-error: a value outside of the enum
  void (() => client.listIssueCreators({ owner, repo, sort: 'age' }));
  void (() => client.listCollections());
  return [row.id, row.login, row.issues];
}

export async function readAllPages(baseUrl: string, owner: string, repo: string): Promise<unknown[]> {
  const client = new RepoInsightClient({ baseUrl });
  const ids: number[] = [];
  let total: number | null | undefined;
  for await (const answer of readPages({ owner, repo, page_size: 7 }, (params) => client.listIssueCreators(params))) {
    ids.push(...answer.data.map(({ id }) => id));
    total = answer.total;
  }
  // @ts-expect-error: a definition without pages
  void (() => readPages({}, (params) => client.listCollections(params)));
  return [ids.length, new Set(ids).size, total];
}

export async function readFailure(baseUrl: string): Promise<unknown[]> {
  const failed: unknown = await new RepoInsightClient({ baseUrl }).listReposOfCollection({ collection_id: 1.5 }).catch((error: unknown) => error);
  if (!(failed instanceof RepoInsightError)) return [];
  failed.code satisfies ErrorCode | string;
  return [failed.name, failed.status, failed.code, failed.message, failed.problem?.errors?.[0]?.parameter, failed.retryAfterSeconds];
}
`;

interface Client {
  readonly [method: string]: (...given: unknown[]) => Promise<{ readonly data: readonly unknown[] }>;
}

interface ClientModule {
  readonly RepoInsightClient: new (options: object) => Client;
  readonly RepoInsightError: new () => Error;
  readonly [name: string]: unknown;
}

describe('the TypeScript client', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-client-'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }),
    );
  });
  after(() => rm(folder, { recursive: true }));

  const write = async (environment: Readonly<Record<string, string>> = {}) => {
    const settings = { DATA_DIR: join(folder, 'data'), ...environment };
    return run(['client', '--out', 'client.ts'], { environment: settings, cwd: folder });
  };
  const compile = async () => {
    const compiler = join(PACKAGE_ROOT, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { stdout?: string }) => {
      throw new Error(`The client does not compile:\n${stdout?.slice(0, 3_000)}`);
    });
  };
  // Node caches modules by URL, so each compilation needs a different URL.
  const load = async (name: string, query = '') =>
    (await import(pathToFileURL(join(folder, 'out', name)).href + query)) as ClientModule;

  describe('of the definitions of the package', () => {
    const shared = useSharedDemo();
    let client: Client;
    let program: Readonly<Record<string, (...given: string[]) => Promise<unknown>>>;
    before(async () => {
      expect(await write()).to.deep.equal({ code: 0, out: '', err: '' });
      await writeFile(join(folder, 'program.ts'), PROGRAM);
      await compile();
      const { RepoInsightClient } = await load('client.js');
      client = new RepoInsightClient({ baseUrl: `${shared.demo.service.url}/` });
      program = (await load('program.js')) as unknown as typeof program;
    });

    it('has the same text each time, and is printed without --out', async () => {
      const text = await readFile(join(folder, 'client.ts'), 'utf8');
      const printed = await run(['client'], { environment: { DATA_DIR: join(folder, 'data') } });
      expect(printed).to.deep.equal({ code: 0, out: text, err: '' });
      expect(text).to.not.match(/^import|require\(/m);
    });

    it('returns the answers of all 46 definitions as the service sends them', async () => {
      const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
      const names = methodNames(endpoints.map(({ definition }) => definition.name));
      expect(endpoints).to.have.length(46);
      let rows = 0;
      for (const endpoint of endpoints) {
        const { name } = endpoint.definition;
        const params = requestOf(endpoint, shared.demo.repository);
        const search = new URLSearchParams(
          Object.entries(params).map(([key, value]) => [key, String(value)] as [string, string]),
        );
        const read = async () => withoutTimes(await (await shared.demo.get(`/q/${name}?${search}`)).json());
        const before = await read();
        const answer = await client[names.get(name) ?? '']?.(params);
        // The service stores visits of collections each minute, which changes the order of the hot collections.
        const isLater = !isDeepStrictEqual(withoutTimes(answer), before);
        expect(withoutTimes(answer), name).to.deep.equal(isLater ? await read() : before);
        rows += answer?.data.length ?? 0;
      }
      expect(rows).to.be.greaterThan(100);
    });

    it('reads all pages by their cursors', async () => {
      const [owner = '', repo = ''] = shared.demo.repository.split('/');
      const counts = await program.readAllPages?.(shared.demo.service.url, owner, repo);
      const [rows, distinct, total] = (counts ?? []) as number[];
      expect([distinct, total]).to.deep.equal([rows, rows]);
      expect(rows).to.be.greaterThan(7);
    });

    it('has types that are neither wider nor narrower than the values', async () => {
      const [owner = '', repo = ''] = shared.demo.repository.split('/');
      const { data } = (await (await shared.demo.get(`/q/list-issue-creators?owner=${owner}&repo=${repo}`)).json()) as {
        data: Record<string, unknown>[];
      };
      const [first] = data;
      expect(await program.readRows?.(shared.demo.service.url, owner, repo)).to.deep.equal([
        first?.id,
        first?.login,
        first?.issues,
      ]);
    });

    it('throws one class of errors, with the problem details of the service', async () => {
      expect(await program.readFailure?.(shared.demo.service.url)).to.deep.equal([
        'RepoInsightError',
        400,
        'bad_parameter',
        'collection_id must be an integer from -9007199254740991 to 9007199254740991, got "1.5"',
        'collection_id',
        undefined,
      ]);
    });

    it('handles failures of the network, other answers, headers and aborts', async () => {
      const { RepoInsightClient, RepoInsightError } = await load('client.js');
      const server = createServer(({ url, headers }, response) => {
        if (url === '/api/q/list-collections') response.writeHead(502, { 'Retry-After': '7' }).end('<html>');
        else if (url === '/q/list-collections')
          response.end(JSON.stringify({ data: [headers.one, headers.two, headers.accept] }));
        else if (url === '/html/q/list-collections') response.end('<html>');
        else if (url !== '/slow/q/list-collections') response.destroy();
      }).listen(0, '127.0.0.1');
      try {
        await new Promise((resolve) => server.once('listening', resolve));
        const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const failure = async (base: string, ...given: unknown[]) => {
          const client = new RepoInsightClient({ baseUrl: new URL(base, host) });
          const error = await client.listCollections?.(...given).catch((thrown: unknown) => thrown);
          const { status, code, retryAfterSeconds } = error as unknown as Record<string, unknown>;
          return [error instanceof RepoInsightError, status, code, retryAfterSeconds];
        };
        expect(await failure('/api/')).to.deep.equal([true, 502, 'unexpected_answer', 7]);
        expect(await failure('/html')).to.deep.equal([true, 200, 'unexpected_answer', undefined]);
        expect(await failure('/away')).to.deep.equal([true, 0, 'network_error', undefined]);
        const reason = new Error('no longer needed');
        const aborted = new RepoInsightClient({ baseUrl: `${host}/slow` }).listCollections?.({
          signal: AbortSignal.abort(reason),
        });
        expect(await aborted?.catch((thrown: unknown) => thrown)).to.equal(reason);
        const requests: string[] = [];
        const client = new RepoInsightClient({
          baseUrl: host,
          headers: { one: '1', two: '1' },
          fetch: (url: string, init: RequestInit) => {
            requests.push(url);
            return fetch(url, init);
          },
        });
        expect(await client.listCollections?.({ headers: { two: '2' } })).to.deep.equal({
          data: ['1', '2', 'application/json'],
        });
        expect(requests).to.deep.equal([`${host}/q/list-collections`]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  });

  it('compiles with hostile texts, names of members and lists, and runs nothing of them', async () => {
    const own = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    try {
      for (const name of [
        'constructor',
        'then',
        'to-string',
        'delete',
        'list-2d',
        'list2d',
        'name',
        'x',
        'x-row',
        'answer',
      ]) {
        await writeFile(join(own, `${name}.json`), JSON.stringify(hostileDefinition(name)));
      }
      await write({ ENDPOINTS_DIR: own });
      const text = await readFile(join(folder, 'client.ts'), 'utf8');
      expect(text).to.not.match(/[^\x20-\x7e\n\u00e9\u{1f600}]/u);
      await compile();
      const module = await load('client.js', '?hostile');
      expect(Object.keys(module).sort()).to.deep.equal(['RepoInsightClient', 'RepoInsightError', 'readPages']);
      expect(Reflect.get(globalThis, 'isHacked')).to.equal(undefined);
      const { prototype } = module.RepoInsightClient;
      expect(Object.getOwnPropertyNames(prototype).sort()).to.deep.equal(
        [
          'answer',
          'constructor',
          'constructor_2',
          'delete',
          'list2d',
          'list2d_2',
          'name',
          'query',
          'then_2',
          'toString_2',
          'x',
          'xRow',
        ].sort(),
      );
      const urls: string[] = [];
      const client = new module.RepoInsightClient({
        baseUrl: 'http://service.example',
        fetch: async (url: string) => {
          urls.push(url);
          return new Response('{"data":[]}');
        },
      });
      await client.constructor_2?.({ class: 'a', list: ['one', 'two'], constructor: undefined });
      expect(urls).to.deep.equal(['http://service.example/q/constructor?class=a&list=one%2Ctwo']);
      expect(text).to.include('   * @deprecated It may stop working from 2027-01-01.\n   */\n  delete(');
    } finally {
      await rm(own, { recursive: true });
    }
  });
});

const HOSTILE =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text must reach the generator
  '*/ globalThis.isHacked = true; /* `${globalThis.isHacked = true}` \\u002a\\u002f \u2028 */ isHacked()\n' +
  '@deprecated not true\r\n@ts-expect-error \u202e reversed \u0007 \ue000deprecated é 😀 </script> {@link x} */';

function hostileDefinition(name: string): object {
  return {
    name,
    path: `/v1/${name}/`,
    summary: '*/ globalThis.isHacked = true; /*',
    description: HOSTILE,
    ...(name === 'delete' && { deprecated: '2026-01-01', sunset: '2027-01-01' }),
    params: {
      class: {
        in: 'query',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the text must reach the generator
        enum: ["a'", 'a', '"; isHacked = 1; "', '`${x}`', '\u2028', 'é'],
        required: true,
        description: HOSTILE,
      },
      constructor: { in: 'query', type: 'string', default: '*/ \u2029', description: HOSTILE, example: HOSTILE },
      list: {
        in: 'query',
        type: 'array',
        items: { enum: ['one', 'two'] },
        maxItems: 3,
        default: ['one'],
        description: HOSTILE,
      },
      number: { in: 'query', type: 'number', default: 0.5, description: HOSTILE },
    },
    columns: [
      { col: '__proto__', data_type: 'VARCHAR', nullable: true, description: HOSTILE },
      { col: 'constructor', data_type: 'DECIMAL', nullable: false, description: HOSTILE },
    ],
    sql:
      'SELECT login AS __proto__, id AS `constructor` FROM github_users WHERE login = {{ class }} AND name = {{ constructor }} ' +
      'AND login IN ({{ list }}) AND id > {{ number }} ORDER BY id',
  };
}

/** Returns values for all parameters without a default. */
function requestOf({ parameters, definition }: Endpoint, repository: string): Record<string, ParameterValue> {
  const [owner = '', repo = ''] = repository.split('/');
  const known: Record<string, ParameterValue> = { owner, repo };
  const sentValue = (name: string, { example, in: place, required }: ParameterDefinition) => {
    return (
      known[name] ??
      (place === 'path' || required === true ? (example ?? definition.examples[0]?.params[name]) : undefined)
    );
  };
  const values = Object.entries(parameters).map(([name, parameter]) => [name, sentValue(name, parameter)] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Removes times, because an answer that is not from the cache has different times. */
function withoutTimes(answer: unknown): object {
  const { requestedAt: _, finishedAt: __, expiresAt: ___, spent: ____, ...rest } = answer as Record<string, unknown>;
  return rest;
}

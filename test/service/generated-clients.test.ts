import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type DemoService, startDemoService, tokenOf } from './demo-service.js';
import { type GeneratedClients, generateClients } from './generated-clients.js';

describe('clients that are generated from the descriptions', () => {
  let demo: DemoService;
  let clients: GeneratedClients;
  let program: Awaited<ReturnType<GeneratedClients['compile']>>;
  let owner: string;
  let repo: string;
  before(async () => {
    demo = await startDemoService({});
    [owner = '', repo = ''] = demo.repository.split('/');
    const [openApi, swagger] = await Promise.all(['/openapi.json', '/docs/json'].map((path) => document(path)));
    clients = await generateClients({ openApi: openApi ?? {}, swagger: swagger ?? {} });
    program = await clients.compile(PROGRAM);
  });
  after(async () => {
    await clients?.remove();
    await demo?.close();
  });

  const document = async (path: string) => (await (await demo.get(path)).json()) as object;
  const run = (name: string, ...given: string[]) => program[name]?.(demo.service.url, owner, repo, ...given);
  const rowsOf = async () => {
    const answer = await demo.get(`/v1/repos/${owner}/${repo}/issue_creators/?sort=login&page_size=3`);
    return ((await answer.json()) as { data: { rows: Record<string, string>[] } }).data.rows;
  };

  for (const client of ['swagger', 'openapi', 'oazapfts']) {
    it(`read rows by the names of their columns: ${client}`, async () => {
      const expected = (await rowsOf()).map(({ login, issues }) => `${login}: ${issues}`);
      expect(expected).to.have.length(3);
      expect(await run(`rowsWith_${client}`)).to.deep.equal(expected);
    });

    it(`read records of a named query as values of their types: ${client}`, async () => {
      const expected = (await rowsOf()).reduce((sum, { issues }) => sum + Number(issues), 0);
      expect(await run(`sumWith_${client}`)).to.equal(expected);
    });

    it(`read the code of an error: ${client}`, async () => {
      expect(await run(`errorWith_${client}`)).to.deep.equal([
        'bad_parameter',
        'page_size must be an integer from 1 to 100, got "101"',
      ]);
    });

    it(`send bodies and credentials: ${client}`, async () => {
      const token = await tokenOf(`reader-${client}`);
      expect(await run(`changeWith_${client}`, token)).to.deep.equal([true, 'A JSON body is checked: bad_body']);
    });
  }

  it('have no type names from a status, a number or a position in another type', async () => {
    const names = (await readdir(join(clients.folder, 'swagger/models'))).map((file) => file.replace('.ts', ''));
    expect(names.filter((name) => /[0-9]|Inner|AllOf|Response/.test(name))).to.deep.equal([]);
    expect(await readdir(join(clients.folder, 'openapi/models'))).to.deep.equal(
      await readdir(join(clients.folder, 'swagger/models')),
    );
  });

  it('have no list with items of type any', async () => {
    const files = ['openapi', 'swagger'].map((name) => join(clients.folder, name, 'models'));
    for (const folder of files) {
      for (const file of await readdir(folder)) {
        expect(await readFile(join(folder, file), 'utf8'), file).to.not.match(
          /Array<(any|unknown|Record<string, any>)>/,
        );
      }
    }
  });
});

/** A program that uses the generated clients. It does not compile if a type is wider or narrower than expected. */
const PROGRAM = `
import * as oazapfts from './oazapfts';
import * as openapi from './openapi';
import * as swagger from './swagger';

const FIRST = { sort: 'login', pageSize: 3 } as const;

export async function rowsWith_oazapfts(baseUrl: string, owner: string, repo: string): Promise<string[]> {
  oazapfts.defaults.baseUrl = baseUrl;
  const answer = await oazapfts.listIssueCreators(owner, repo, FIRST);
  if (answer.status !== 200) throw new Error(answer.data.data.result.message);
  // @ts-expect-error: an unknown column
  answer.data.data.rows[0]?.no_such_column;
  return answer.data.data.rows.map((row) => \`\${row.login}: \${row.issues satisfies string}\`);
}

export async function sumWith_oazapfts(baseUrl: string, owner: string, repo: string): Promise<number> {
  oazapfts.defaults.baseUrl = baseUrl;
  const answer = await oazapfts.queryListIssueCreators(owner, repo, FIRST);
  if (answer.status !== 200) throw new Error(answer.data.detail);
  return answer.data.data.reduce((sum, { issues }) => sum + (issues satisfies number | null ?? 0), 0);
}

export async function errorWith_oazapfts(baseUrl: string, owner: string, repo: string): Promise<string[]> {
  oazapfts.defaults.baseUrl = baseUrl;
  const answer = await oazapfts.listIssueCreators(owner, repo, { pageSize: 101 });
  if (answer.status === 200) return [];
  const { error, message } = answer.data.data.result;
  return [error satisfies oazapfts.ErrorCode, message];
}

export async function changeWith_oazapfts(baseUrl: string, _owner: string, _repo: string, token: string): Promise<unknown[]> {
  oazapfts.defaults.baseUrl = baseUrl;
  const headers = { Authorization: \`Bearer \${token}\` };
  const right = await oazapfts.setEmailUpdates({ enable: true }, { headers });
  // @ts-expect-error: not a boolean
  const wrong = await oazapfts.setEmailUpdates({ enable: 'yes' }, { headers });
  if (right.status !== 200 || wrong.status === 200) return [];
  return [right.data.emailGetUpdates satisfies boolean, \`A JSON body is checked: \${wrong.data.code}\`];
}
${withCodegen('openapi', 'number | null')}
${withCodegen('swagger', 'number | null')}
`;

/** Returns the part of the program that uses the client of one document. Both documents must lead to the same client. */
function withCodegen(client: string, type: string): string {
  return `
export async function rowsWith_${client}(baseUrl: string, owner: string, repo: string): Promise<string[]> {
  ${client}.OpenAPI.BASE = baseUrl;
  const { data } = await ${client}.IssueCreatorsService.listIssueCreators({ owner, repo, ...FIRST });
  // @ts-expect-error: an unknown column
  data.rows[0]?.no_such_column;
  return data.rows.map((row) => \`\${row.login}: \${row.issues satisfies string}\`);
}

export async function sumWith_${client}(baseUrl: string, owner: string, repo: string): Promise<number> {
  ${client}.OpenAPI.BASE = baseUrl;
  const { data } = await ${client}.QueriesService.queryListIssueCreators({ owner, repo, ...FIRST });
  return data.reduce((sum, { issues }) => sum + (issues satisfies ${type} ?? 0), 0);
}

export async function errorWith_${client}(baseUrl: string, owner: string, repo: string): Promise<string[]> {
  ${client}.OpenAPI.BASE = baseUrl;
  const failed = await ${client}.IssueCreatorsService.listIssueCreators({ owner, repo, pageSize: 101 }).catch((error) => error);
  if (!(failed instanceof ${client}.ApiError)) return [];
  const { data } = failed.body as ${client}.Failure;
  return [data.result.error satisfies ${client}.ErrorCode, data.result.message];
}

export async function changeWith_${client}(baseUrl: string, _owner: string, _repo: string, token: string): Promise<unknown[]> {
  ${client}.OpenAPI.BASE = baseUrl;
  ${client}.OpenAPI.HEADERS = { Authorization: \`Bearer \${token}\` };
  const right = await ${client}.UserService.setEmailUpdates({ BODY: { enable: true } });
  // @ts-expect-error: not a boolean
  const wrong = await ${client}.UserService.setEmailUpdates({ BODY: { enable: 'yes' } }).catch((error) => error);
  ${client}.OpenAPI.HEADERS = {};
  return [right.emailGetUpdates satisfies boolean, \`A JSON body is checked: \${(wrong.body as ${client}.Problem).code}\`];
}
`.replaceAll('BODY', client === 'openapi' ? 'requestBody' : 'body');
}

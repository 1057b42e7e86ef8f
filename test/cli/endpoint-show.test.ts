import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadEndpoints } from '../../engine/index.js';
import { run } from './command-line.js';
import { contentOf } from './endpoint-content.js';

describe('shared parts on the command line', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-show-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are expanded as YAML and as JSON without a database, and an unknown name gets a suggestion', async () => {
    const environment = { DATA_DIR: join(folder, 'data') };
    const yaml = await run(['endpoint', 'show', 'stargazers-history'], { environment });
    const json = await run(['endpoint', 'show', 'stargazers-history', '--json'], { environment });
    await writeFile(join(folder, 'a.yaml'), yaml.out);
    await writeFile(
      join(folder, 'b.json'),
      JSON.stringify({ ...JSON.parse(json.out), name: 'other', path: '/v1/{owner}/{repo}/' }),
    );
    const { endpoints } = await loadEndpoints(folder);
    const [one, other] = endpoints.map(contentOf);
    expect(other?.texts).to.deep.equal(one?.texts);
    expect(one?.definition.name).to.equal('stargazers-history');

    const { code, err } = await run(['endpoint', 'show', 'stargazers-histry'], { environment });
    expect([code, err]).to.deep.equal([
      2,
      'There is no endpoint named stargazers-histry (did you mean "stargazers-history"?). `endpoint list` lists all names.\n',
    ]);
  });

  it('are checked with a single file that uses them, and as a shared file by its name', async () => {
    const shared = join(folder, 'users.shared.yaml');
    const file = join(folder, 'users.yaml');
    await writeFile(shared, 'views: { people: SELECT id FROM github_users WHERE is_bot = 0, idle: SELECT 1 }\n');
    await writeFile(
      file,
      `name: people
summary: People
shared: [users.shared.yaml]
columns: [{ col: id, data_type: BIGINT, nullable: false, description: Id }]
sql: SELECT id FROM {% use people %} people ORDER BY id
data_as_of: SELECT MAX(updated_at) FROM github_users
`,
    );
    const check = async (name: string, environment: Record<string, string> = {}) => {
      const { code, out, err } = await run(['endpoint', 'check', name], { environment });
      return [code, out, err];
    };
    expect(await check(file)).to.deep.equal([0, '', '1 valid, 0 problems\n']);
    const unused = `${shared}:1:64 views.idle: no definition uses this part\n`;
    expect(await check(shared, { ENDPOINTS_DIR: folder })).to.deep.equal([1, unused, '0 valid, 1 problem\n']);
    // An unused shared part must not break a definition.
    const list = await run(['endpoint', 'list', '--json'], { environment: { ENDPOINTS_DIR: folder } });
    expect([list.code, JSON.parse(list.out).map(({ name }: { name: string }) => name)]).to.deep.equal([0, ['people']]);
  });
});

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Envelope } from '../../engine/http/envelopes/envelope.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { type Outcome, run, serveHere, stopAll } from './command-line.js';

const SELECT = `SELECT primary_language AS language, COUNT(*) AS repositories
FROM github_repos
WHERE primary_language <> ''
GROUP BY primary_language
HAVING COUNT(*) >= 2
ORDER BY repositories DESC, language
`;
const WORDS = ['new', '--sql', '-', '--name', 'list-languages', '--path', '/v1/languages/', '--param', 'least=2'];

describe('the first session of an author', () => {
  let folder: string;
  let environment: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-session-'));
    const folders = `${join(folder, 'endpoints')},${FEW_ENDPOINTS}`;
    environment = { DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: folders, NOW, PORT: '0' };
    await mkdir(join(folder, 'endpoints'));
    await copyDemo(readSettings(environment), { events: 500 });
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  const endpoint = async (words: readonly string[], input = ''): Promise<Outcome> => {
    const { code, out, err } = await run(['endpoint', ...words], { environment, cwd: folder, input });
    return { code, out: out.replaceAll(`${folder}/`, ''), err };
  };

  it('leads from a SELECT to a documented route of the running service', async () => {
    const server = await serveHere(environment, ['--watch']);
    const { url } = server;

    const created = await endpoint(WORDS, SELECT);
    expect([created.code, created.out.split('\n', 1)], created.err).to.deep.equal([
      0,
      ['wrote endpoints/list-languages.yaml'],
    ]);
    const text = await readFile(join(folder, 'endpoints/list-languages.yaml'), 'utf8');
    expect(text).to.include('path: /v1/languages/\n').and.to.include('HAVING COUNT(*) >= {{ least }}');

    await eventually(async () => (await fetch(`${url}/v1/languages/`)).status === 200);
    const served = (await (await fetch(`${url}/v1/languages/?least=1`)).json()) as Envelope;
    expect(served.data.rows[0]).to.have.all.keys('language', 'repositories');
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    expect(paths).to.include.keys('/v1/languages/', '/q/list-languages');

    const checked = await endpoint(['check', 'list-languages', '--strict']);
    expect([checked.code, checked.err]).to.deep.equal([0, '1 valid, 0 problems\n']);
    expect((await endpoint(['test', 'list-languages'])).code).to.equal(0);
    const shown = await endpoint(['show', 'list-languages']);
    expect([shown.code, shown.out.includes('name: list-languages\n')]).to.deep.equal([0, true]);

    expect((await server.close()).code).to.equal(0);
  });
});

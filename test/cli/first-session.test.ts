import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Envelope } from '../../http/envelopes/envelope.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { eventually } from '../services/eventually.js';
import { listening, type Outcome, start, startWithInput, stopAll } from './command-line.js';

const SELECT = `SELECT primary_language AS language, COUNT(*) AS repositories
FROM github_repos
WHERE primary_language <> ''
GROUP BY primary_language
HAVING COUNT(*) >= 2
ORDER BY repositories DESC, language
`;
const WORDS = ['new', '--sql', '-', '--name', 'list-languages', '--path', '/v1/languages/', '--param', 'least=2'];
/** No step of the session may take longer, also on a slow and busy computer. */
const LIMIT_MS = 60_000;

interface Step {
  readonly command: string;
  readonly ms: number;
  readonly text: string;
}

/** With TRANSCRIPT=<file>, the session is written as Markdown, with the time of each step. */
describe('the first session of an author', () => {
  let folder: string;
  let environment: Record<string, string>;
  const steps: Step[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-session-'));
    const folders = `built-in,${join(folder, 'endpoints')}`;
    environment = { DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: folders, NOW, PORT: '0' };
    await mkdir(join(folder, 'endpoints'));
    await copyDemo(readSettings(environment), { events: 2_000 });
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
    if (process.env.TRANSCRIPT !== undefined) await writeFile(process.env.TRANSCRIPT, formatTranscript(steps));
  });

  const measure = async <T>(command: string, work: () => Promise<T>, show: (result: T) => string): Promise<T> => {
    const started = performance.now();
    const result = await work();
    const ms = performance.now() - started;
    steps.push({ command, ms, text: show(result).replaceAll(`${folder}/`, '') });
    expect(ms, command).to.be.lessThan(LIMIT_MS);
    return result;
  };

  const endpoint = (words: readonly string[], input = ''): Promise<Outcome> => {
    const command = `endpoint ${words.join(' ')}`;
    const execute = () => {
      const started = startWithInput(['endpoint', ...words], { environment, cwd: folder });
      started.child.stdin.end(input);
      return started.ended;
    };
    return measure(command, execute, ({ out, err }) => `${out}${err}`);
  };

  it('leads from a SELECT to a documented route of the running service', async () => {
    const server = start(['serve', '--watch'], { environment, cwd: folder });
    const url = await measure(
      'repo-insight serve --watch',
      () => listening(server),
      () => server.out(),
    );

    const created = await endpoint(WORDS, SELECT);
    expect([created.code, created.out.split('\n', 1)]).to.deep.equal([0, ['wrote endpoints/list-languages.yaml']]);
    const text = await readFile(join(folder, 'endpoints/list-languages.yaml'), 'utf8');
    expect(text).to.include('path: /v1/languages/\n').and.to.include('HAVING COUNT(*) >= {{ least }}');

    const served = await measure(
      'GET /v1/languages/?least=1',
      async () => {
        await eventually(async () => (await fetch(`${url}/v1/languages/`)).status === 200);
        return (await (await fetch(`${url}/v1/languages/?least=1`)).json()) as Envelope;
      },
      ({ data }) => JSON.stringify(data.rows.slice(0, 2)),
    );
    expect(served.data.rows[0]).to.have.all.keys('language', 'repositories');

    const description = await measure(
      'GET /openapi.json',
      async () => (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Readonly<Record<string, object>> },
      ({ paths }) => `${Object.keys(paths).length} paths`,
    );
    expect(description.paths).to.include.keys('/v1/languages/', '/q/list-languages');

    const checked = await endpoint(['check', 'list-languages', '--strict']);
    expect([checked.code, checked.err]).to.deep.equal([0, '1 valid, 0 problems\n']);
    expect((await endpoint(['test', 'list-languages'])).code).to.equal(0);
    const shown = await endpoint(['show', 'list-languages']);
    expect([shown.code, shown.out.includes('name: list-languages\n')]).to.deep.equal([0, true]);

    server.child.kill('SIGTERM');
    expect((await server.ended).code).to.equal(0);
  });
});

function formatTranscript(steps: readonly Step[]): string {
  const parts = steps.map(({ command, ms, text }) => {
    return `\`${command}\`: ${(ms / 1000).toFixed(1)} s\n\n\`\`\`\n${text.trim()}\n\`\`\`\n`;
  });
  return `# The first session of an author\n\n${parts.join('\n')}`;
}

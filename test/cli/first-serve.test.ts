import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { NamedQueryEnvelope } from '../../http/envelopes/query-envelope.js';
import { loadDefinitions } from '../../server/definitions.js';
import { listen, requireFreePort } from '../../server/listening/listen.js';
import { listening, run, start, stopAll } from './command-line.js';

/** A time at the start of a day, a month and a year, when the current periods contain the least data. */
const FIRST_SECONDS = '2027-01-01T00:00:05Z';

describe('the serve command on a taken port', () => {
  it('reports the port before it creates a database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-taken-'));
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const { code, out, err } = await run(['serve'], {
        environment: { DATA_DIR: join(folder, 'data'), PORT: String(port) },
      });
      expect([code, out, err]).to.deep.equal([
        2,
        '',
        `Port ${port} on 127.0.0.1 is taken; set PORT to another one, or to 0 for any free one.\n`,
      ]);
      expect(await readdir(folder)).to.deep.equal([]);
      // A port that another program takes later is found when the service listens.
      const late = await listen(() => {}, { host: '127.0.0.1', port, shutdownTimeout: 1_000 }).catch(String);
      expect(late).to.equal(`Error: ${err.trim()}`);
      await requireFreePort({ host: '127.0.0.1', port: 0 });
    } finally {
      other.close();
      await rm(folder, { recursive: true });
    }
  });
});

/** Both tests use one server, because demo data of full size take long to generate. */
describe('the serve command without a database', () => {
  let folder: string;
  let hadDatabase: boolean;
  let server: ReturnType<typeof start>;
  let url: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-serve-'));
    const environment = { DATA_DIR: folder, PORT: '0', NOW: FIRST_SECONDS };
    const killed = start(['serve'], { environment });
    while (!existsSync(join(folder, 'repo-insight.duckdb.unfinished'))) await once(killed.child.stderr, 'data');
    killed.child.kill('SIGKILL');
    await killed.ended;
    hadDatabase = existsSync(join(folder, 'repo-insight.duckdb'));
    server = start(['serve'], { environment });
    url = await listening(server);
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  it('generates the demo data again after it was killed during the generation', async () => {
    expect(hadDatabase).to.equal(false);
    expect((await fetch(`${url}/healthy/`)).status).to.equal(200);
  });

  it('generates demo data on its first run, and the example of every definition has rows', async () => {
    expect(server.err()).to.include('synthetic');
    const lines = server.out().trimEnd().split('\n');
    const log = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly events?: number });
    const [{ events, msg } = { msg: '' }, ...others] = log.filter((line) => line.msg.includes('demo data'));
    expect(msg).to.equal(`The database has ${events?.toLocaleString('en')} events of demo data.`);
    expect(others).to.deep.equal([]);
    expect(log.filter((line) => /event type|[│─]/.test(line.msg))).to.deep.equal([]);
    const empty: string[] = [];
    for (const { definition } of await loadDefinitions({ endpointsDirectory: undefined })) {
      const params = Object.entries(definition.examples[0]?.params ?? {}).map(([name, value]) => [name, String(value)]);
      const target = `/q/${definition.name}?${new URLSearchParams(Object.fromEntries(params))}`;
      const response = await fetch(url + target);
      const { data } = (await response.json()) as NamedQueryEnvelope;
      // The demo data have no gap.
      const isFilled = data.length > 0 || definition.name === 'data-gaps';
      if (response.status !== 200 || !isFilled) empty.push(target);
    }
    expect(empty).to.deep.equal([]);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).to.equal(0);
    expect((await readdir(folder)).filter((name) => name.includes('duckdb'))).to.deep.equal(['repo-insight.duckdb']);
  });
});

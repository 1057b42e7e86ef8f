import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listen, requireFreePort } from '../../server/listening/listen.js';
import { eventually } from '../services/eventually.js';
import { listening, run, startHere, stopAll } from './command-line.js';
import { emptyExamples, FIRST_SECONDS } from './empty-examples.js';

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
      // If another program takes the port later, the error occurs when the service listens.
      const late = await listen(() => {}, { host: '127.0.0.1', port, shutdownTimeout: 1_000 }).catch(String);
      expect(late).to.equal(`Error: ${err.trim()}`);
      await requireFreePort({ host: '127.0.0.1', port: 0 });
    } finally {
      other.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('the serve command without a database', () => {
  let folder: string;
  let server: ReturnType<typeof startHere>;
  let url: string;
  const file = (end: string) => join(folder, `repo-insight.duckdb${end}`);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-serve-'));
    const environment = { DATA_DIR: folder, PORT: '0', NOW: FIRST_SECONDS, LOG_LEVEL: 'silent' };
    // The repositories and people have the default numbers, so that the data contain the same names.
    const options = { environment, firstDemo: { events: 8_000, repositories: 120, people: 20_000 } };
    const stopped = startHere(['serve'], options);
    await eventually(() => stopped.err().includes('synthetic'));
    stopped.stop();
    expect((await stopped.ended).code).to.equal(2);
    expect([existsSync(file('')), existsSync(file('.unfinished'))]).to.deep.equal([false, true]);
    // A killed process can leave incomplete files with any content.
    for (const end of ['.unfinished', '.unfinished.wal']) await writeFile(file(end), 'no database');
    server = startHere(['serve'], options);
    url = await listening(server);
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  it('generates the demo data again after it was stopped during the generation', async () => {
    expect((await fetch(`${url}/healthy/`)).status).to.equal(200);
    expect(server.err()).to.include('synthetic');
    expect(
      server
        .out()
        .match(/^.*demo data.*$/gm)
        ?.map((line) => line.replace(/\d[\d,]*/, 'N')),
    ).to.deep.equal(['The database has N events of demo data.']);
  });

  it('has rows for the example of every definition, and leaves only the database', async () => {
    expect(await emptyExamples(url)).to.deep.equal([]);
    server.stop();
    expect((await server.ended).code).to.equal(0);
    expect((await readdir(folder)).filter((name) => name.includes('duckdb'))).to.deep.equal(['repo-insight.duckdb']);
  });
});

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, start, stopAll } from '../cli/command-line.js';
import { emptyExamples, FIRST_SECONDS } from '../cli/empty-examples.js';

describe('the first start with demo data of the default size', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-serve-'));
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  it('generates them again after a kill, writes JSON, and has rows for the example of every definition', async () => {
    const environment = { DATA_DIR: folder, PORT: '0', NOW: FIRST_SECONDS };
    const killed = start(['serve'], { environment });
    while (!existsSync(join(folder, 'repo-insight.duckdb.unfinished'))) await once(killed.child.stderr, 'data');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(existsSync(join(folder, 'repo-insight.duckdb'))).to.equal(false);
    const server = start(['serve'], { environment });
    const url = await listening(server);
    expect(server.err()).to.include('synthetic');
    const lines = server.out().trimEnd().split('\n');
    const log = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly events?: number });
    const [{ events, msg } = { msg: '' }, ...others] = log.filter((line) => line.msg.includes('demo data'));
    expect(msg).to.equal(`The database has ${events?.toLocaleString('en')} events of demo data.`);
    expect(others).to.deep.equal([]);
    expect(log.filter((line) => /event type|[│─]/.test(line.msg))).to.deep.equal([]);
    expect(await emptyExamples(url)).to.deep.equal([]);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).to.equal(0);
    expect((await readdir(folder)).filter((name) => name.includes('duckdb'))).to.deep.equal(['repo-insight.duckdb']);
  });
});

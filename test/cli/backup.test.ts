import { mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Coverage } from '../../warehouse/coverage.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { hourFiles } from '../warehouse/event-files.js';
import { run, runProcess, serveHere, stopAll } from './command-line.js';

describe('the backup command', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof serveHere>>;
  const pathOf = (name: string) => join(folder, name);
  const environmentOf = (file = 'data.duckdb') => ({
    DATA_DIR: folder,
    DATABASE_URL: `duckdb:${pathOf(file)}`,
    PORT: '0',
  });
  const command = (words: readonly string[], file?: string) =>
    run(words, { environment: environmentOf(file), cwd: folder });
  const eventsOf = async (file?: string) => {
    const { out } = await command(['data', 'status', '--json'], file);
    const { events, types } = JSON.parse(out) as Coverage;
    return { events, types };
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-backup-'));
    await copyEmptyFile(pathOf('data.duckdb'));
    await hourFiles(folder, [1]);
    server = await serveHere({ ...environmentOf(), ENDPOINTS_DIR: FEW_ENDPOINTS });
    await command(['data', 'import', '.']);
  });
  after(async () => {
    expect((await server.close()).code).to.equal(0);
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('copies the database of a running service, which keeps its lock, into a file that is complete without a log', async () => {
    const before = await eventsOf();
    const { code, out } = await command(['data', 'backup', 'copy.duckdb', '--json']);
    const { file, bytes } = JSON.parse(out) as { file: string; bytes: number };
    expect({ code, file, bytes }).to.deep.equal({
      code: 0,
      file: pathOf('copy.duckdb'),
      bytes: (await readFile(pathOf('copy.duckdb'))).length,
    });
    // The backup must not close the database file a second time, because this would remove the lock of the process. Only another process
    // can notice this.
    const other = await runProcess(['serve'], { environment: environmentOf() });
    expect([other.code, other.err.includes(`is in use by process ${process.pid}`)]).to.deep.equal([2, true]);
    expect(await eventsOf('copy.duckdb')).to.deep.equal(before);
    const left = (await readdir(folder)).filter((name) => /^(?:copy|backup)/.test(name));
    expect(left).to.deep.equal(['copy.duckdb']);
  });

  it('is complete if the check of the running service finds no damage', async () => {
    const { code, out } = await command(['data', 'verify', '--json']);
    const { blocks, damaged } = JSON.parse(out) as { blocks: number; damaged: number[] };
    expect({ code, damaged }).to.deep.equal({ code: 0, damaged: [] });
    expect(blocks).to.be.above(0);
    expect((await command(['data', 'verify'])).out).to.match(/^\d+ blocks are intact, after [\d.]+ s\.\n$/);
  });

  it('does not replace a file or a link, and names a folder that does not exist', async () => {
    const first = await readFile(pathOf('copy.duckdb'));
    await symlink(pathOf('nowhere.duckdb'), pathOf('link.duckdb'));
    const names = ['copy.duckdb', 'link.duckdb', 'missing/copy.duckdb', 'copy.duckdb/copy.duckdb'];
    const errors: string[] = [];
    for (const name of names) {
      const { code, err } = await command(['data', 'backup', name]);
      expect(code).to.equal(2);
      errors.push(err.trimEnd().split('\n').at(-1)?.replaceAll(folder, '…') ?? '');
    }
    expect(errors).to.deep.equal([
      '…/copy.duckdb already exists. A backup never replaces a file.',
      '…/link.duckdb already exists. A backup never replaces a file.',
      'The folder …/missing does not exist. Create it first.',
      '…/copy.duckdb is not a folder.',
    ]);
    expect((await readFile(pathOf('copy.duckdb'))).equals(first)).to.equal(true);
    expect(await readlink(pathOf('link.duckdb'))).to.equal(pathOf('nowhere.duckdb'));
  });

  it('contains complete batches of an import that runs at the same time', async () => {
    const before = await eventsOf();
    await hourFiles(folder, [2, 3]);
    const importing = command(['data', 'import', '.']);
    const { code } = await command(['data', 'backup', 'during.duckdb']);
    const imported = await importing;
    expect(imported.code, imported.err).to.equal(0);
    const [copied, after] = [await eventsOf('during.duckdb'), await eventsOf()];
    expect(code).to.equal(0);
    expect(copied.events).to.be.within(before.events, after.events);
    // The restored copy continues with the state at the time of the backup.
    await command(['data', 'import', '.'], 'during.duckdb');
    expect(await eventsOf('during.duckdb')).to.deep.equal(after);
  });
});

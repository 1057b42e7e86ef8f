import { existsSync } from 'node:fs';
import { mkdir, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CHUNK_BYTES } from '../../warehouse/import/files/chunks.js';
import { DownloadError, download } from '../../warehouse/import/files/download.js';
import { findSources, SourceError } from '../../warehouse/import/files/sources.js';
import type { ImportSummary } from '../../warehouse/import/summary.js';
import { eventually } from '../services/eventually.js';
import { type ArchiveServer, archiveServer, type Fault } from './archive-server.js';
import { hourLines } from './event-files.js';
import { type TestWarehouse, temporaryFolder, testWarehouse } from './test-warehouse.js';

const FILES = Object.fromEntries(
  [3, 4, 6].map((hour) => [`/2015-01-01-${hour}.json.gz`, gzipSync(hourLines(hour, 3).join('\n'))]),
);

describe('downloads', () => {
  let warehouse: TestWarehouse;
  let server: ArchiveServer | undefined;

  beforeEach(async () => {
    warehouse = await testWarehouse();
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await warehouse.close();
  });

  const importHours = async (range: string, faults: Record<string, readonly Fault[]> = {}, options = {}) => {
    server ??= await archiveServer(FILES, faults);
    return warehouse.import([range], {
      archiveUrl: server.url,
      retryWaitMs: 1,
      stallMs: 1_000,
      retries: 2,
      ...options,
    });
  };
  const states = (summary: ImportSummary) => summary.files.map(({ name, state }) => `${name} ${state}`);
  const leftFiles = () => readdir(join(warehouse.folder, 'downloads'));

  it('import the hours of a range, without an hour that the archive does not have', async () => {
    const summary = await importHours('2015-01-01-3..2015-01-01-6');
    expect(states(summary)).to.deep.equal([
      '2015-01-01-3.json.gz imported',
      '2015-01-01-4.json.gz imported',
      '2015-01-01-5.json.gz missing',
      '2015-01-01-6.json.gz imported',
    ]);
    expect(summary.events).to.equal(117);
    expect(await leftFiles()).to.deep.equal([]);
  });

  it('are not repeated for imported hours', async () => {
    await importHours('2015-01-01-3..2015-01-01-4');
    const asked = server?.requests.length;
    expect(states(await importHours('2015-01-01-3..2015-01-01-4'))).to.deep.equal([
      '2015-01-01-3.json.gz skipped',
      '2015-01-01-4.json.gz skipped',
    ]);
    expect(server?.requests.length).to.equal(asked);
  });

  it('are retried after an error, a stall and a lost connection, and continue where they stopped', async () => {
    const summary = await importHours(
      '2015-01-01-3',
      { '/2015-01-01-3.json.gz': ['fail', 'stall', 'cut'] },
      { retries: 3 },
    );
    expect(states(summary)).to.deep.equal(['2015-01-01-3.json.gz imported']);
    // The position from which a download continues varies, because the last bytes before a lost connection may also be lost.
    expect(server?.requests.map((request) => request.replace(/bytes=[1-9]\d*-$/, 'the rest'))).to.deep.equal([
      'GET /2015-01-01-3.json.gz',
      'GET /2015-01-01-3.json.gz',
      'GET /2015-01-01-3.json.gz the rest',
      'GET /2015-01-01-3.json.gz the rest',
    ]);
  });

  it('are continued by a later import', async () => {
    const faults: readonly Fault[] = ['stall', 'cut', 'cut'];
    const failed = await importHours('2015-01-01-3', { '/2015-01-01-3.json.gz': faults });
    expect(states(failed)).to.deep.equal(['2015-01-01-3.json.gz failed']);
    expect(failed.files[0]?.message).to.match(
      /^http:\/\/.*2015-01-01-3.json.gz could not be downloaded after 3 attempts: /,
    );
    expect(states(await importHours('2015-01-01-3'))).to.deep.equal(['2015-01-01-3.json.gz imported']);
    expect(server?.requests.at(-1)).to.match(/bytes=[1-9]\d*-$/);
    expect(await leftFiles()).to.deep.equal([]);
  });

  it('start again, in the same attempt, if the file has changed in the meantime', async () => {
    const path = '/2015-01-01-3.json.gz';
    const files = { [path]: gzipSync(hourLines(3, 3).join('\n')) };
    server = await archiveServer(files, { [path]: ['stall'] });
    expect(states(await importHours('2015-01-01-3', {}, { retries: 0 }))).to.deep.equal([
      '2015-01-01-3.json.gz failed',
    ]);
    files[path] = gzipSync(hourLines(3, 5).join('\n'));
    const summary = await importHours('2015-01-01-3', {}, { retries: 0 });
    expect(states(summary)).to.deep.equal(['2015-01-01-3.json.gz imported']);
    expect(summary.events).to.equal(hourLines(3, 5).length);
    expect(server.requests.map((request) => request.replace(/bytes=[1-9]\d*-$/, 'the rest'))).to.deep.equal([
      `GET ${path}`,
      `GET ${path} the rest`,
    ]);
  });

  it('report the pause that a server requests, in milliseconds', async () => {
    server = await archiveServer(FILES, { '/2015-01-01-3.json.gz': ['busy'] });
    const options = { folder: warehouse.folder, retries: 0 };
    const failure = await download(`${server.url}/2015-01-01-3.json.gz`, 'hour', options).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(DownloadError);
    expect((failure as DownloadError).retryAfterMs).to.equal(1_000);
  });

  it('follow a redirect, stop in a loop of redirects, and are not retried after a rejection', async () => {
    const summary = await importHours('2015-01-01-3..2015-01-01-6', {
      '/2015-01-01-3.json.gz': ['redirect'],
      '/2015-01-01-4.json.gz': ['loop'],
      '/2015-01-01-6.json.gz': ['reject'],
    });
    expect(summary.files.map(({ state, message }) => `${state} ${message?.replace(/http\S+/, 'URL')}`)).to.deep.equal([
      'imported undefined',
      'failed URL could not be downloaded: more than 5 redirects',
      'missing The server does not have this file. A recent hour may not be published yet.',
      'failed URL could not be downloaded: the server returned status 403',
    ]);
  });

  it('do not follow a redirect to a local file', async () => {
    const summary = await importHours('2015-01-01-3', { '/2015-01-01-3.json.gz': ['lure'] });
    expect(summary.files[0]?.message).to.match(
      / could not be downloaded: expected a redirect to http or https, got file:$/,
    );
  });

  it('are repeated if the response was not an event file', async () => {
    const name = '2015-01-01-3.json.gz';
    const answers = [Buffer.alloc(0), Buffer.from([0, 1, 2, 3]), FILES[`/${name}`] ?? Buffer.alloc(0)];
    for (const [index, answer] of answers.entries()) {
      const bad = await archiveServer({ [`/${name}`]: answer });
      const summary = await warehouse.import([`${bad.url}/${name}`], { retries: 0 });
      await bad.close();
      expect(states(summary)).to.deep.equal([`${name} ${index === 2 ? 'imported' : 'failed'}`]);
      expect(await leftFiles()).to.deep.equal([]);
    }
  });

  it('end when the file is too large, and leave nothing', async () => {
    server = await archiveServer(FILES, {});
    const url = `${server.url}/2015-01-01-3.json.gz`;
    const error = await download(url, 'hour.json.gz', { folder: warehouse.folder, maxBytes: 10 }).catch(
      (thrown: Error) => thrown,
    );
    expect(error).to.be.instanceOf(DownloadError);
    expect(String(error)).to.equal(`DownloadError: ${url} could not be downloaded: the file has more than 10 bytes`);
    expect((await readdir(warehouse.folder)).filter((name) => name.startsWith('hour'))).to.deep.equal([]);
    expect(server.requests).to.have.length(1);
  });

  it('stop when the import stops', async () => {
    const controller = new AbortController();
    const summary = await importHours(
      '2015-01-01-3..2015-01-01-6',
      {},
      {
        concurrency: 1,
        signal: controller.signal,
        onProgress: ({ files }: { files: number }) => files === 1 && controller.abort(),
        batchEvents: 1,
      },
    );
    expect(states(summary)).to.deep.equal(['2015-01-01-3.json.gz imported']);
    expect(summary.interrupted).to.equal(true);
    expect(await warehouse.rows('SELECT COUNT(*) FROM github_events')).to.deep.equal([['39']]);
  });

  it('leave no other file open when they stop', async function () {
    if (!existsSync('/proc/self/fd')) return this.skip();
    const name = '2015-01-01-3.json.gz';
    server = await archiveServer(FILES, { [`/${name}`]: ['stall'] });
    const large = join(warehouse.folder, 'large.json');
    await writeFile(large, Buffer.alloc(8 * CHUNK_BYTES, '\n'.padStart(1024)));
    const stop = new AbortController();
    const options = { stallMs: 600_000, retries: 0, signal: stop.signal };
    const running = warehouse.import([`${server.url}/${name}`, large], options);
    // The import unpacks six chunks of the large file in advance, and then waits for the download.
    await eventually(async () => (await sizeOf(join(warehouse.folder, 'staging'), '1-5.json')) >= CHUNK_BYTES);
    expect(await openFiles()).to.include(large);
    stop.abort();
    expect((await running).interrupted).to.equal(true);
    await eventually(async () => !(await openFiles()).includes(large));
  });
});

describe('sources', () => {
  const names = async (...words: string[]) =>
    (await findSources(words, 'https://archive.test')).map(({ source }) => source);

  it('are hours, days, months and their ranges', async () => {
    expect(await names('2015-01-31-23..2015-02-01-1', '2015-01-31-23')).to.deep.equal([
      'https://archive.test/2015-01-31-23.json.gz',
      'https://archive.test/2015-02-01-0.json.gz',
      'https://archive.test/2015-02-01-1.json.gz',
    ]);
    expect((await names('2015-01-01..2015-01-02')).length).to.equal(48);
    expect((await names('2015-01-01')).at(-1)).to.equal('https://archive.test/2015-01-01-23.json.gz');
    const months = await names('2015-12..2016-02');
    expect([months.length, months[0], months.at(-1)]).to.deep.equal([
      (31 + 31 + 29) * 24,
      'https://archive.test/2015-12-01-0.json.gz',
      'https://archive.test/2016-02-29-23.json.gz',
    ]);
    expect(await names('2015-01-31-22..2015-01')).to.deep.equal([
      'https://archive.test/2015-01-31-22.json.gz',
      'https://archive.test/2015-01-31-23.json.gz',
    ]);
    expect((await names('2015-02')).length).to.equal(28 * 24);
  });

  it('are the event files of a folder in which another process removes folders', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a', 'b', 'hour.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '');
    let isDone = false;
    const other = Array.from({ length: 4 }, async (_, index) => {
      const own = join(folder, `own-${index}`);
      while (!isDone) {
        await mkdir(join(own, 'files'), { recursive: true });
        await rm(own, { recursive: true });
      }
    });
    try {
      for (let time = 0; time < 300; time += 1) expect(await names(folder)).to.deep.equal([file]);
    } finally {
      isDone = true;
      await Promise.all(other);
      await rm(folder, { recursive: true });
    }
  });

  it('that are invalid are rejected with their name', async () => {
    const messages = await Promise.all(
      [
        '2015-02-30',
        '2015-01-01-24',
        '2015-13..2016-01',
        '2015-01-02..2015-01-01',
        '2011-01-01..2025-01-01',
        '2015-01-01..soon',
      ].map((word) =>
        names(word).then(
          () => 'no error',
          (error: unknown) => (error instanceof SourceError ? error.message : String(error)),
        ),
      ),
    );
    const expectation = 'expected a day, hour or month in UTC, such as 2015-01-31, 2015-01-31-23 or 2015-01.';
    expect(messages).to.deep.equal([
      `The range 2015-02-30 is invalid at "2015-02-30": ${expectation}`,
      `The range 2015-01-01-24 is invalid at "2015-01-01-24": ${expectation}`,
      `The range 2015-13..2016-01 is invalid at "2015-13": ${expectation}`,
      'The range 2015-01-02..2015-01-01 ends before it starts.',
      'The range 2011-01-01..2025-01-01 has 122760 hours, but a range can have at most 8784 (366 days). Use several ranges.',
      `The range 2015-01-01..soon is invalid at "soon": ${expectation}`,
    ]);
  });
});

/** Returns the size of the file with this name below a folder, or 0 if there is no such file. An import can remove folders meanwhile. */
async function sizeOf(folder: string, name: string): Promise<number> {
  try {
    const path = (await readdir(folder, { recursive: true })).find((one) => basename(one) === name);
    return path === undefined ? 0 : (await stat(join(folder, path))).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Returns the paths of the files that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const folder = '/proc/self/fd';
  return Promise.all((await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => '')));
}

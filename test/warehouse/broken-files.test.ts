import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { FileOutcome } from '../../warehouse/import/summary.js';
import { hourLines } from './event-files.js';
import { type TestWarehouse, testWarehouse } from './test-warehouse.js';

const LINES = hourLines(1, 5);
const COUNT = 'SELECT COUNT(*) FROM github_events';

const pathsOf = async (folder: string, files: Readonly<Record<string, Buffer | string>>): Promise<string[]> =>
  Promise.all(
    Object.entries(files).map(async ([name, bytes]) => {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
      return path;
    }),
  );

/** Inserts lines before a line of an hour. */
function linesWith(at: number, ...more: readonly string[]): string[] {
  const lines = [...LINES];
  lines.splice(at, 0, ...more);
  return lines;
}

describe('a broken file that is rejected', () => {
  let warehouse: TestWarehouse;
  before(async () => {
    warehouse = await testWarehouse();
  });
  after(() => warehouse.close());
  afterEach(async () => {
    const tables = await warehouse.everything();
    expect(Object.values(tables).flat()).to.deep.equal([]);
    expect(await warehouse.rows('SELECT * FROM import_files')).to.deep.equal([]);
  });

  const rejected = async (files: Readonly<Record<string, Buffer | string>>, options = {}): Promise<FileOutcome[]> => {
    const { files: outcomes } = await warehouse.import(await pathsOf(warehouse.folder, files), options);
    return [...outcomes];
  };

  it('has too many broken lines, or unpacks to more bytes than the limit', async () => {
    const [many, bomb] = await rejected(
      { 'many.json': [...LINES, '<html>', '', '{"type":5}'].join('\n'), 'bomb.json.gz': BOMB },
      { maxUnpackedBytes: BOMB_BYTES - 1 },
    );
    expect([many?.state, many?.message, many?.broken]).to.deep.equal([
      'refused',
      '2 of 67 lines are broken (2.99 %, allowed are 2 %), so the file was not imported.',
      2,
    ]);
    expect([bomb?.state, bomb?.message, bomb?.events]).to.deep.equal([
      'failed',
      'The file has more than 2 MB when it is unpacked. If you trust its source, import it with a larger --max-unpacked.',
      0,
    ]);
  });

  it('is a JSON array, and its name is in the message', async () => {
    const array = JSON.stringify(LINES.map((line) => JSON.parse(line)));
    const texts = [array, ` \n${array}`, JSON.stringify(JSON.parse(array), null, 2), '[]'];
    const files = texts.flatMap((text) => [text, gzipSync(text)]);
    const outcomes = await rejected(Object.fromEntries(files.map((bytes, index) => [`${index}/array.json`, bytes])), {
      brokenShare: 1,
    });
    expect(outcomes.map(({ state, message }) => [state, message])).to.deep.equal(
      Array(8).fill([
        'failed',
        "Expected one JSON object per line, got a JSON array. Convert the file: jq -c '.[]' array.json > lines.json",
      ]),
    );
  });

  it('has a wrong byte in its gzip data, is not an event file, is empty or is missing', async () => {
    const wrong = gzipSync(LINES.join('\n'));
    wrong[wrong.length - 6] = (wrong.at(-6) ?? 0) ^ 1;
    const binary = Buffer.from([0x7a, 0x39, 0x15, 0x00, 0x1b]);
    const paths = await pathsOf(warehouse.folder, {
      'wrong.json.gz': wrong,
      'binary.json.gz': binary,
      'empty.json': '',
    });
    const { files } = await warehouse.import([...paths, join(warehouse.folder, 'nowhere.json')]);
    expect(files.map(({ message }) => message)).to.deep.equal([
      'The file is damaged: its gzip data are invalid (incorrect data check). Download it again.',
      'Expected a gzip file (1f 8b) or JSON lines, got a binary file that starts with 7a 39 15 00. Download it again.',
      'The file is empty.',
      'The file does not exist.',
    ]);
  });
});

describe('a broken file', () => {
  let warehouse: TestWarehouse;
  const outcomes = new Map<string, FileOutcome>();

  before(async () => {
    warehouse = await testWarehouse();
    const load = async (files: Readonly<Record<string, Buffer | string>>, options = {}) => {
      const summary = await warehouse.import(await pathsOf(warehouse.folder, files), options);
      for (const outcome of summary.files) outcomes.set(outcome.name, outcome);
    };
    // The gzip data are truncated, so the file would have other events than the whole one.
    const cut = gzipSync(LINES.slice(20).join('\n')).subarray(0, 900);
    await load({ 'cut.json.gz': cut, 'first.json': LINES.slice(0, 20).join('\n') });
    countAfterCut = await warehouse.rows(COUNT);
    await load(
      {
        'few.json.gz': gzipSync(`\n${linesWith(3, '{"id":"1","type":"PushEvent"').join('\n')}\n`),
        'bomb.json.gz': BOMB,
        'surrogate.json': SURROGATE,
        'windows.json': `\ufeff${LINES.join('\r\n\r\n')}`,
        'plain.json.gz': LINES.slice(0, 20).join('\r\n'),
        'packed.json': Buffer.concat([gzipSync(`${LINES[20]}\n`), gzipSync(LINES.slice(21).join('\n'))]),
        'pretty.json': JSON.stringify({ name: 'a package', version: '1' }, null, 2),
        'last.json': LINES.join('\n'),
      },
      { maxUnpackedBytes: BOMB_BYTES },
    );
    await load(
      {
        'allowed.json': [...LINES, 'x', 'y'].join('\n'),
        'strange.json': [...LINES, ...STRANGE].join('\n'),
        'cut.json': linesWith(3, '{"id":"1",', '"type":"PushEvent","created_at":"2015-01-01T00:00:00Z"}').join('\n'),
        'times.json': [...LINES, ...IMPOSSIBLE_TIMES.map(starAt)].join('\n'),
      },
      { brokenShare: 0.1 },
    );
  });
  after(() => warehouse.close());
  let countAfterCut: unknown;

  const outcomeOf = (name: string): FileOutcome => {
    const outcome = outcomes.get(name);
    if (outcome === undefined) throw new Error(`there is no file ${name}`);
    return outcome;
  };

  it('is imported without its broken lines if they are few, and reports their numbers', async () => {
    const { state, events, broken, brokenLines } = outcomeOf('few.json.gz');
    expect({ state, events, broken, brokenLines }).to.deep.equal({
      state: 'imported',
      events: 65,
      broken: 1,
      brokenLines: [{ line: 5, reason: "not JSON: Expected ',' or '}' after property value in JSON at position 28" }],
    });
    // All files have the same events, except one.
    expect(await warehouse.rows(COUNT)).to.deep.equal([['66']]);
  });

  it('is accepted up to the limit of bytes, and up to the share of broken lines that the caller allows', () => {
    for (const name of ['bomb.json.gz', 'allowed.json']) {
      expect(outcomeOf(name), name).to.deep.include({ state: 'imported', events: 65 });
    }
  });

  it('counts valid JSON that is not an event as broken, with the expected form', () => {
    expect(outcomeOf('strange.json').brokenLines).to.deep.equal([
      { line: 66, reason: 'not an event: expected an object, got [1]' },
      { line: 67, reason: 'not an event: expected an object, got "x"' },
      { line: 68, reason: 'not an event: expected a type such as PushEvent, got nothing' },
      { line: 69, reason: 'not an event: expected a time in created_at, got "noon"' },
    ]);
  });

  it('is imported if only DuckDB rejects its text: lone surrogates become U+FFFD', async () => {
    expect(outcomeOf('surrogate.json')).to.deep.include({ state: 'imported', events: 1, broken: 0 });
    const rows = await warehouse.rows(
      "SELECT actor_login, action FROM github_events WHERE repo_name = 'ada/surrogate'",
    );
    expect(rows).to.deep.equal([['ada', '\ufffd']]);
  });

  it('is imported with a byte order mark, CRLF, blank lines and without a last line break', () => {
    expect(outcomeOf('windows.json')).to.deep.include({ events: 65, broken: 0 });
  });

  it('is decompressed by its content and not by its name, also with several gzip members', () => {
    expect([outcomeOf('plain.json.gz').events, outcomeOf('packed.json').events]).to.deep.equal([20, 45]);
  });

  it('is rejected without an effect on other files if its JSON values have several lines', () => {
    expect(outcomeOf('pretty.json')).to.deep.include({ state: 'refused', events: 0, broken: 4 });
    expect(outcomeOf('last.json')).to.deep.include({ state: 'imported', events: 65, broken: 0 });
    expect(outcomeOf('pretty.json').brokenLines[0]).to.deep.equal({
      line: 1,
      reason: "not JSON: Expected property name or '}' in JSON at position 1",
    });
  });

  it('counts an event with a line break inside as two broken lines', () => {
    const { events, brokenLines } = outcomeOf('cut.json');
    expect({ events, lines: brokenLines.map(({ line }) => line) }).to.deep.equal({ events: 65, lines: [4, 5] });
  });

  it('counts events with an impossible time as broken, because such an event would extend every history', () => {
    const { events, brokenLines } = outcomeOf('times.json');
    expect(events).to.equal(65);
    expect(brokenLines).to.deep.equal(
      IMPOSSIBLE_TIMES.map((time, index) => ({
        line: 66 + index,
        reason: `not an event: expected a time from 2000 to 2099 in created_at, got "${time}"`,
      })),
    );
  });

  it('fails without stored rows and without an effect on other files if its gzip data are truncated', () => {
    expect(outcomeOf('cut.json.gz')).to.deep.include({
      state: 'failed',
      events: 0,
      message: 'The file is truncated: its gzip data end too early. Download it again.',
    });
    const { state, events, message } = outcomeOf('first.json');
    expect({ state, events, message }).to.deep.equal({ state: 'imported', events: 20, message: undefined });
    expect(countAfterCut).to.deep.equal([['20']]);
  });

  it('does not stop the import of other files if it is a folder, a pipe or a broken link', async () => {
    const folder = join(warehouse.folder, 'mixed');
    await mkdir(join(folder, 'folder.json', 'deeper'), { recursive: true });
    await symlink('..', join(folder, 'folder.json', 'up.json'));
    await symlink('itself.json', join(folder, 'itself.json'));
    await writeFile(join(folder, 'folder.json', 'deeper', 'whole.json'), LINES.slice(1).join('\n'));
    const { files } = await warehouse.import([folder]);
    expect(files.map(({ name, state, message }) => [name, state, message])).to.deep.equal([
      ['whole.json', 'imported', undefined],
      ['up.json', 'failed', 'Expected a file, got a folder, a pipe or a device.'],
      ['itself.json', 'failed', 'The file is a symbolic link to itself.'],
    ]);
  });

  it('can be replaced by a correct file with the same name', async () => {
    const other = hourLines(2, 5);
    const importHour = async (lines: readonly string[]) => {
      const { files } = await warehouse.import(await pathsOf(warehouse.folder, { 'hour.json': lines.join('\n') }));
      return files[0];
    };
    expect((await importHour([...other, 'x', 'y', 'z']))?.state).to.equal('refused');
    expect(await importHour(other)).to.deep.include({ state: 'imported', events: 65, alreadyThere: 0 });
  });
});

/** A file that is much larger when it is unpacked. */
const BOMB_BYTES = 2_000_000;
const BOMB_TEXT = `${LINES.join('\n')}\n`;
const BOMB = gzipSync(BOMB_TEXT + '\n'.repeat(BOMB_BYTES - BOMB_TEXT.length));
const SURROGATE = `{"id":"5","type":"PushEvent","actor":{"id":1,"login":"ada"},"repo":{"id":2,"name":"ada/surrogate"},"payload":{"action":"\\ud83d"},"created_at":"2015-01-01T00:00:00Z"}`;
/** JSON values that are not events. */
const STRANGE = ['[1]', '"x"', '{"created_at":"2015-01-01T00:00:00Z"}', '{"type":"PushEvent","created_at":"noon"}'];
const IMPOSSIBLE_TIMES = ['-005000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
const starAt = (time: string) => JSON.stringify({ type: 'WatchEvent', created_at: time });

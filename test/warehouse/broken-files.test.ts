import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { FileOutcome } from '../../warehouse/import/summary.js';
import { hourLines } from './event-files.js';
import { type TestWarehouse, testWarehouse } from './test-warehouse.js';

const LINES = hourLines(1, 5);
const COUNT = 'SELECT COUNT(*) FROM github_events';

describe('a broken file', () => {
  let warehouse: TestWarehouse;

  beforeEach(async () => {
    warehouse = await testWarehouse();
  });
  afterEach(() => warehouse.close());

  const importFile = async (name: string, bytes: Buffer | string, options = {}): Promise<FileOutcome> => {
    const path = join(warehouse.folder, name);
    await writeFile(path, bytes);
    const { files } = await warehouse.import([path], options);
    return files[0] as FileOutcome;
  };
  const isEmpty = async () => {
    const tables = await warehouse.everything();
    expect(Object.values(tables).flat()).to.deep.equal([]);
    expect(await warehouse.rows('SELECT * FROM import_files')).to.deep.equal([]);
  };

  it('is imported without its broken lines if they are few, and reports their numbers', async () => {
    const lines = [...LINES];
    lines.splice(3, 0, '{"id":"1","type":"PushEvent"');
    const { state, events, broken, brokenLines } = await importFile('few.json.gz', gzipSync(`\n${lines.join('\n')}\n`));
    expect({ state, events, broken, brokenLines }).to.deep.equal({
      state: 'imported',
      events: 65,
      broken: 1,
      brokenLines: [{ line: 5, reason: "not JSON: Expected ',' or '}' after property value in JSON at position 28" }],
    });
    expect(await warehouse.rows(COUNT)).to.deep.equal([['65']]);
  });

  it('is rejected completely if too many of its lines are broken', async () => {
    const { state, message, broken } = await importFile('many.json', [...LINES, '<html>', '', '{"type":5}'].join('\n'));
    expect({ state, message, broken }).to.deep.equal({
      state: 'refused',
      message: '2 of 67 lines are broken (2.99 %, allowed are 2 %), so the file was not imported.',
      broken: 2,
    });
    await isEmpty();
  });

  it('is rejected completely if it unpacks to more bytes than the limit, and read up to the limit', async () => {
    const text = `${LINES.join('\n')}\n`;
    const bomb = gzipSync(text + '\n'.repeat(2_000_000 - text.length));
    const { state, message, events } = await importFile('bomb.json.gz', bomb, { maxUnpackedBytes: 1_999_999 });
    expect({ state, message, events }).to.deep.equal({
      state: 'failed',
      message:
        'The file has more than 2 MB when it is unpacked. If you trust its source, import it with a larger --max-unpacked.',
      events: 0,
    });
    expect(await importFile('bomb.json.gz', bomb, { maxUnpackedBytes: 2_000_000 })).to.deep.include({
      state: 'imported',
      events: LINES.length,
    });
  });

  it('is accepted up to the share of broken lines that the caller allows', async () => {
    const bytes = [...LINES, 'x', 'y'].join('\n');
    const { state, events } = await importFile('many.json', bytes, { brokenShare: 0.1 });
    expect({ state, events }).to.deep.equal({ state: 'imported', events: 65 });
  });

  it('is rejected with its name if it is a JSON array', async () => {
    const array = JSON.stringify(LINES.map((line) => JSON.parse(line)));
    for (const text of [array, ` \n${array}`, JSON.stringify(JSON.parse(array), null, 2), '[]']) {
      for (const bytes of [text, gzipSync(text)]) {
        const { state, message } = await importFile('array.json', bytes, { brokenShare: 1 });
        expect([state, message]).to.deep.equal([
          'failed',
          "Expected one JSON object per line, got a JSON array. Convert the file: jq -c '.[]' array.json > lines.json",
        ]);
      }
    }
    await isEmpty();
  });

  it('counts valid JSON that is not an event as broken, with the expected form', async () => {
    const strange = ['[1]', '"x"', '{"created_at":"2015-01-01T00:00:00Z"}', '{"type":"PushEvent","created_at":"noon"}'];
    const { brokenLines } = await importFile('strange.json', [...LINES, ...strange].join('\n'), { brokenShare: 1 });
    expect(brokenLines).to.deep.equal([
      { line: 66, reason: 'not an event: expected an object, got [1]' },
      { line: 67, reason: 'not an event: expected an object, got "x"' },
      { line: 68, reason: 'not an event: expected a type such as PushEvent, got nothing' },
      { line: 69, reason: 'not an event: expected a time in created_at, got "noon"' },
    ]);
  });

  it('is imported if only DuckDB rejects its text: lone surrogates become U+FFFD', async () => {
    const line = `{"id":"5","type":"PushEvent","actor":{"id":1,"login":"ada"},"repo":{"id":2,"name":"ada/x"},"payload":{"action":"\\ud83d"},"created_at":"2015-01-01T00:00:00Z"}`;
    const { state, events, broken } = await importFile('surrogate.json', line);
    expect({ state, events, broken }).to.deep.equal({ state: 'imported', events: 1, broken: 0 });
    expect(await warehouse.rows('SELECT actor_login, action FROM github_events')).to.deep.equal([['ada', '\ufffd']]);
  });

  it('is imported with a byte order mark, CRLF, blank lines and without a last line break', async () => {
    const { events, broken } = await importFile('windows.json', `\ufeff${LINES.join('\r\n\r\n')}`);
    expect({ events, broken }).to.deep.equal({ events: 65, broken: 0 });
  });

  it('is decompressed by its content and not by its name, also with several gzip members', async () => {
    const plain = await importFile('plain.json.gz', LINES.slice(0, 20).join('\n'));
    const members = Buffer.concat([gzipSync(`${LINES[20]}\n`), gzipSync(LINES.slice(21).join('\n'))]);
    const packed = await importFile('packed.json', members);
    expect([plain.events, packed.events]).to.deep.equal([20, 45]);
  });

  it('does not stop the import of other files if it is a folder, a pipe or a broken link', async () => {
    const folder = join(warehouse.folder, 'mixed');
    await mkdir(join(folder, 'folder.json', 'deeper'), { recursive: true });
    await symlink('..', join(folder, 'folder.json', 'up.json'));
    await symlink('itself.json', join(folder, 'itself.json'));
    await writeFile(join(folder, 'folder.json', 'deeper', 'whole.json'), LINES.join('\n'));
    const { files } = await warehouse.import([folder]);
    expect(files.map(({ name, state, message }) => [name, state, message])).to.deep.equal([
      ['whole.json', 'imported', undefined],
      ['up.json', 'failed', 'Expected a file, got a folder, a pipe or a device.'],
      ['itself.json', 'failed', 'The file is a symbolic link to itself.'],
    ]);
  });

  it('is rejected without an effect on other files if its JSON values have several lines', async () => {
    const [pretty, whole] = [join(warehouse.folder, 'pretty.json'), join(warehouse.folder, 'whole.json')];
    await writeFile(pretty, JSON.stringify({ name: 'a package', version: '1' }, null, 2));
    await writeFile(whole, LINES.join('\n'));
    const { files } = await warehouse.import([pretty, whole]);
    expect(files.map(({ name, state, events, broken }) => ({ name, state, events, broken }))).to.deep.equal([
      { name: 'pretty.json', state: 'refused', events: 0, broken: 4 },
      { name: 'whole.json', state: 'imported', events: 65, broken: 0 },
    ]);
    expect(files[0]?.brokenLines[0]).to.deep.equal({
      line: 1,
      reason: "not JSON: Expected property name or '}' in JSON at position 1",
    });
  });

  it('counts an event with a line break inside as two broken lines', async () => {
    const lines = [...LINES];
    lines.splice(3, 0, '{"id":"1",', '"type":"PushEvent","created_at":"2015-01-01T00:00:00Z"}');
    const { events, brokenLines } = await importFile('cut.json', lines.join('\n'), { brokenShare: 0.1 });
    expect({ events, lines: brokenLines.map(({ line }) => line) }).to.deep.equal({ events: 65, lines: [4, 5] });
  });

  it('counts events with an impossible time as broken, because such an event would extend every history', async () => {
    const times = ['-005000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
    const strange = times.map((time) => JSON.stringify({ type: 'WatchEvent', created_at: time }));
    const { events, brokenLines } = await importFile('times.json', [...LINES, ...strange].join('\n'), {
      brokenShare: 0.1,
    });
    expect(events).to.equal(65);
    expect(brokenLines).to.deep.equal(
      times.map((time, index) => ({
        line: 66 + index,
        reason: `not an event: expected a time from 2000 to 2099 in created_at, got "${time}"`,
      })),
    );
  });

  it('fails without stored rows and without an effect on other files if its gzip data are truncated', async () => {
    const whole = join(warehouse.folder, 'whole.json');
    await writeFile(whole, LINES.slice(0, 20).join('\n'));
    const cut = join(warehouse.folder, 'cut.json.gz');
    await writeFile(cut, gzipSync(LINES.slice(20).join('\n')));
    await truncate(cut, 900);
    const { files } = await warehouse.import([cut, whole]);
    expect(files.map(({ name, state, events, message }) => ({ name, state, events, message }))).to.deep.equal([
      {
        name: 'cut.json.gz',
        state: 'failed',
        events: 0,
        message: 'The file is truncated: its gzip data end too early. Download it again.',
      },
      { name: 'whole.json', state: 'imported', events: 20, message: undefined },
    ]);
    expect(await warehouse.rows(COUNT)).to.deep.equal([['20']]);
  });

  it('fails if a byte of its gzip data is wrong, or if it is not an event file, empty or missing', async () => {
    const wrong = gzipSync(LINES.join('\n'));
    wrong[wrong.length - 6] = (wrong.at(-6) ?? 0) ^ 1;
    const { message: damaged } = await importFile('wrong.json.gz', wrong);
    const { message: binary } = await importFile('binary.json.gz', Buffer.from([0x7a, 0x39, 0x15, 0x00, 0x1b]));
    const { message: empty } = await importFile('empty.json', '');
    const { files } = await warehouse.import([join(warehouse.folder, 'nowhere.json')]);
    expect([damaged, binary, empty, files[0]?.message]).to.deep.equal([
      'The file is damaged: its gzip data are invalid (incorrect data check). Download it again.',
      'Expected a gzip file (1f 8b) or JSON lines, got a binary file that starts with 7a 39 15 00. Download it again.',
      'The file is empty.',
      'The file does not exist.',
    ]);
    await isEmpty();
  });

  it('can be replaced by a correct file with the same name', async () => {
    await importFile('hour.json', [...LINES, 'x', 'y', 'z'].join('\n'));
    const { state, events, alreadyThere } = await importFile('hour.json', LINES.join('\n'));
    expect({ state, events, alreadyThere }).to.deep.equal({ state: 'imported', events: 65, alreadyThere: 0 });
  });
});

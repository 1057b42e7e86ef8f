import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLog, LogOutput } from '../../server/logging/log.js';
import { eventually } from '../services/eventually.js';

describe('the output of the log', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'repo-insight-log-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('writes collected lines when the process exits, also after an error', () => {
    const script = (end: string) => `
      const { LogOutput } = await import(${JSON.stringify(new URL('../../server/logging/log.js', import.meta.url).href)});
      const output = new LogOutput(1);
      output.takeLine('first\\n');
      while (output.waitingBytes > 0) await new Promise(setImmediate);
      for (let line = 0; line < 50; line += 1) output.takeLine(line + '\\n');
      for (let line = 50; line < 100; line += 1) output.takeLine(() => line + '\\n');
      ${end}`;
    const lines = ['first', ...Array.from({ length: 100 }, (_, line) => String(line))];
    for (const end of [
      'process.exit(0)',
      'process.once("uncaughtException", () => process.exit(0)); throw new Error("x")',
      '',
    ]) {
      const written = execFileSync(process.execPath, ['--input-type=module', '-e', script(end)], { encoding: 'utf8' });
      // A line that is being written when the process exits may appear after the collected lines.
      expect(written.trimEnd().split('\n')).to.have.members(lines);
    }
  });

  it('writes the last lines when the process exits while all threads are busy', () => {
    const script = `
      const { pbkdf2 } = await import('node:crypto');
      const { LogOutput } = await import(${JSON.stringify(new URL('../../server/logging/log.js', import.meta.url).href)});
      pbkdf2('password', 'salt', 300_000, 64, 'sha512', () => {});
      const output = new LogOutput(1);
      for (let line = 0; line < 600; line += 1) output.takeLine(line + '\\n');
      process.exit(1);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    });
    expect(status).to.equal(1);
    expect(stdout.trimEnd().split('\n')).to.deep.equal(Array.from({ length: 600 }, (_, line) => String(line)));
  });

  it('writes all lines before the process exits for a slow reader, and each of them whole', async () => {
    const script = `
      process.stdout.isTTY; // The stream of Node does not wait for a pipe from now on.
      const { LogOutput } = await import(${JSON.stringify(new URL('../../server/logging/log.js', import.meta.url).href)});
      const output = new LogOutput(1, true);
      for (let line = 0; line < 500; line += 1) output.takeLine(() => 'x'.repeat(999) + '\\n');
      process.exit(0);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let read = '';
    child.stdout.setEncoding('utf8').on('data', (data: string) => {
      read += data;
      // The pipe buffer has 64 KB, so the process must wait for this reader.
      child.stdout.pause();
      setImmediate(() => child.stdout.resume());
    });
    await once(child, 'close');
    expect(read.split('\n').filter((line) => line !== 'x'.repeat(999))).to.deep.equal(['']);
    expect(read.length).to.equal(500_000);
  });

  it('continues if nothing can be written, and drops the lines', async () => {
    const fd = openSync('/dev/full', 'w');
    const output = new LogOutput(fd);
    for (let turn = 1; turn <= 3; turn += 1) {
      output.takeLine(`${turn}\n`);
      await eventually(() => output.lostLines === turn);
    }
    closeSync(fd);
  });

  it('buffers a megabyte for a stalled reader, writes it when the reader continues, and reports the lost lines', async () => {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const writing = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    const output = new LogOutput(writing);
    const line = `${'x'.repeat(1_023)}\n`;
    for (let count = 0; count < 5_000; count += 1) output.takeLine(line);
    expect(output.waitingBytes).to.be.below(1024 * 1024 + 2 * line.length);
    const regained = once(output, 'regained');
    let read = 0;
    // The file descriptor is blocking, so the stream waits for data.
    const stream = createReadStream(fifo);
    stream.on('data', (data) => {
      read += data.length;
    });
    expect((await regained)[0]).to.be.at.least(1);
    await eventually(() => read === (5_000 - output.lostLines) * line.length);
    expect(output.lostLines).to.be.within(3_000, 4_999);
    closeSync(writing);
    await once(stream, 'close');
    closeSync(reading);
  });

  it('keeps lines whole when several processes write to one output', async () => {
    const fifo = join(folder, 'shared');
    execFileSync('mkfifo', [fifo]);
    const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const writing = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    const outputs = ['a', 'b', 'c'].map((name) => ({ name, output: new LogOutput(writing, true) }));
    for (let count = 0; count < 1_000; count += 1) {
      for (const { name, output } of outputs) output.takeLine(`${name.repeat(500)}\n`);
    }
    let read = '';
    const stream = createReadStream(fifo, 'utf8');
    stream.on('data', (data) => {
      read += data;
    });
    await eventually(() => read.length >= 3_000 * 501);
    const lines = read.trimEnd().split('\n');
    expect(lines.filter((line) => !/^(a{500}|b{500}|c{500})$/.test(line))).to.deep.equal([]);
    closeSync(writing);
    await once(stream, 'close');
    closeSync(reading);
  });

  for (const format of ['JSON', 'readable'] as const) {
    it(`buffers a megabyte of a log of ${format} lines, and logs the number of lost lines`, async () => {
      const fifo = join(folder, format);
      execFileSync('mkfifo', [fifo]);
      const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
      const writing = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
      const logger = createLog({ logLevel: 'info' }, { fd: writing, isReadable: format === 'readable' });
      const message = 'x'.repeat(1_000);
      for (let count = 0; count < 5_000; count += 1) logger.info({ count }, message);
      let read = '';
      const stream = createReadStream(fifo, 'utf8');
      stream.on('data', (data) => {
        read += data;
      });
      await eventually(() => /lines of the log were lost/.test(read));
      expect(read.match(/x{1000}/g)).to.have.length.within(500, 1_500);
      closeSync(writing);
      await once(stream, 'close');
      closeSync(reading);
    });
  }
});

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Logger } from 'pino';
import type { EndedRequest } from '../../engine/http/request-record.js';
import { createLog } from '../../server/logging/log.js';
import { createRequestLog } from '../../server/logging/request-line.js';
import { eventually } from '../services/eventually.js';

const REQUEST: EndedRequest = {
  ...{ id: 'one', isIdSent: false, remoteAddress: '127.0.0.1', method: 'GET', target: '/', traceId: undefined },
  ...{ operation: undefined, rows: undefined, cache: undefined, databaseMs: undefined, code: 'internal_error' },
  ...{ status: 500, sentStatus: 500, bytes: 0, ms: 1, isAborted: false, failure: undefined },
} as EndedRequest;

describe('the line of a failed request', () => {
  it('says so if the service failed after it had sent the status', () => {
    const lines: [string, string][] = [];
    const logger = Object.fromEntries(
      ['info', 'warn', 'error'].map((level) => [level, (_: object, message: string) => lines.push([level, message])]),
    ) as unknown as Logger;
    const log = createRequestLog(logger);
    log({ ...REQUEST, status: 200, failure: new Error('within the answer') });
    log({ ...REQUEST, status: 200 });
    log({ ...REQUEST, status: 404, failure: new Error('not found') });
    expect(lines).to.deep.equal([
      ['error', 'request failed'],
      ['info', 'request completed'],
      ['warn', 'request completed'],
    ]);
  });

  it('is written for every cause of the failure, also if JSON cannot contain it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'repo-insight-log-'));
    const fd = openSync(join(folder, 'log'), 'a');
    const socket: Record<string, unknown> = { port: 1 };
    socket.own = socket;
    const failures = [
      Object.assign(new TypeError('circular'), { socket }),
      Object.assign(new Error('large'), { rows: 1n }),
      new Error('plain'),
      { count: 1n },
      () => undefined,
    ];
    try {
      const log = createRequestLog(createLog({ logLevel: 'info' }, { fd, isReadable: false }));
      for (const failure of failures) log({ ...REQUEST, failure });
      const lines = () => readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');
      await eventually(() => lines().length === failures.length);
      const errors = lines().map((line) => (JSON.parse(line) as { err: unknown }).err);
      const stacks = failures.map((failure) => (failure instanceof Error ? failure.stack : undefined));
      expect(errors).to.deep.equal([
        { type: 'TypeError', message: 'circular', stack: stacks[0] },
        { type: 'Error', message: 'large', stack: stacks[1] },
        { type: 'Error', message: 'plain', stack: stacks[2] },
        '{ count: 1n }',
        '[Function (anonymous)]',
      ]);
    } finally {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    }
  });
});

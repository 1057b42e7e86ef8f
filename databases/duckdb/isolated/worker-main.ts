/**
 * The program of a worker process: it runs queries that the service does not trust, so that the service can always end
 * them by ending the process. It receives requests over the channel of its parent and ends with it.
 */

import { copyFile, constants as files, writeFile } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { EngineError } from '../../../engine/interface/errors.js';
import { Reader } from '../connection/reader.js';
import { createMacros, instanceOptions, prepareInstance } from '../connection/settings.js';
import type { Interrupt, Message, ReportedError, RequestKind, Requests, Results, WorkerLimits } from './protocol.js';
import { publish } from './publish.js';

// Copies hold private data until they are published.
process.umask(0o077);
// If memory runs out, Linux kills this process before others.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

let reader: Reader | undefined;
let running: AbortController | undefined;
let maxResidentBytes = Number.POSITIVE_INFINITY;

const ANSWERS: { readonly [Kind in RequestKind]: (request: Requests[Kind]) => Promise<Results[Kind]> } = {
  copy: async ({ from, to }) => {
    await copyFile(from, to, files.COPYFILE_EXCL | files.COPYFILE_FICLONE);
    return undefined;
  },
  publish: async ({ file, tables, limits }) => {
    const { instance, connection } = await openFile(file, limits, 'read_write');
    await publish(connection, tables);
    connection.closeSync();
    instance.closeSync();
    return undefined;
  },
  open: async ({ file, limits }) => {
    const { connection } = await openFile(file, limits, 'read_only');
    reader = new Reader(connection, 1, limits.maxResultBytes);
    maxResidentBytes = limits.maxResidentBytes;
    return undefined;
  },
  query: async ({ sql, values, maxRows, timeoutMs }) => {
    if (reader === undefined) throw new Error('No database is open in this process.');
    const watch = setInterval(endBeyondMemory, WATCH_MS);
    running = new AbortController();
    try {
      return await reader.read(sql, values, { maxRows, timeoutMs, signal: running.signal });
    } finally {
      clearInterval(watch);
      reader.forget();
    }
  },
};

/** Often enough that a query cannot take much more between two looks: DuckDB fills about 1 MB a millisecond. */
const WATCH_MS = 10;

process.on('message', (message: Message | Interrupt) => {
  if (message.kind === 'interrupt') running?.abort();
  else void answer(message).then((reply) => send(reply));
});
// The parent has ended. An ordinary exit would wait for a running query.
process.on('disconnect', end);

function send(reply: Answer, onSent?: () => void): void {
  process.send?.({ ...reply, residentBytes: process.memoryUsage.rss() }, undefined, undefined, onSent);
}

type Answer = { readonly result: unknown } | { readonly error: ReportedError };

async function answer({ kind, request }: Message): Promise<Answer> {
  try {
    return { result: await (ANSWERS[kind] as (request: unknown) => Promise<unknown>)(request) };
  } catch (error) {
    return { error: reported(error) };
  }
}

function reported(error: unknown): ReportedError {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof EngineError ? error.code : undefined, message };
}

async function openFile(file: string, limits: WorkerLimits, access: 'read_only' | 'read_write') {
  const options = { memoryLimit: limits.memoryLimit, threads: 1, tempDirectory: undefined, access };
  const instance = await DuckDBInstance.create(file, instanceOptions(options));
  const connection: DuckDBConnection = await instance.connect();
  await createMacros(connection);
  await prepareInstance(connection, {});
  await connection.run('SET lock_configuration = true');
  return { instance, connection };
}

/** Replies before the end, because a process that just ends may have been killed by somebody else. */
function endBeyondMemory(): void {
  if (process.memoryUsage.rss() > maxResidentBytes) send({ error: TOO_MUCH_MEMORY }, end);
}

const TOO_MUCH_MEMORY: ReportedError = {
  code: 'query_failed',
  message: 'The query was stopped: it needs too much memory. Join, group or sort less.',
};

/** Ends the process at once: an ordinary exit would wait for DuckDB's threads. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

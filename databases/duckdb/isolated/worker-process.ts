import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../../engine/interface/errors.js';
import { overloaded, unavailable } from '../../failures.js';
import type { Interrupt, Message, Reply, RequestKind, Requests, Results } from './protocol.js';

/** A worker process as its parent sees it. It answers one request at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  /** Its memory after the last request. */
  residentBytes = 0;
  /** How it ended, if it ended by a fault of its own; for the operator. */
  crash: string | undefined;
  #pending: Pending | undefined;
  #isEnded = false;
  #isKilled = false;
  /** The end of its standard error, for the log. */
  #lastWords = '';

  /**
   * Starts the process. It inherits neither the environment, which may hold secrets, nor options of this process. `priority`
   * is that of `os.setPriority`; by default the priority of this process.
   */
  constructor(priority?: number) {
    this.#child = fork(PROGRAM, [], {
      env: {},
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (priority !== undefined) this.#setPriority(priority);
    this.#child.on('message', (reply: Reply) => this.#settle(reply));
    this.#child.on('error', (error) => this.#end(error));
    this.#child.on('exit', (code, signal) => this.#end(this.#deathOf(code, signal)));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk).slice(-MAX_LAST_WORDS);
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Rejects with the `EngineError` or the error of DuckDB that the worker reports, or with its unexpected end. */
  ask<Kind extends RequestKind>(kind: Kind, request: Requests[Kind]): Promise<Results[Kind]> {
    if (this.#isEnded) return Promise.reject(unavailable('The process for this query has ended.'));
    if (this.#pending !== undefined) return Promise.reject(new Error('This worker is answering another request.'));
    return new Promise((resolve, reject) => {
      this.#pending = { resolve: resolve as (result: unknown) => void, reject };
      this.#send({ kind, request } as Message);
    });
  }

  /** Asks the running query to stop. */
  interrupt(): void {
    this.#send({ kind: 'interrupt' });
  }

  /** Ends the process at once, with the query that runs. */
  kill(): void {
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
  }

  /** From the parent and at once: threads that the process starts later inherit it. */
  #setPriority(priority: number): void {
    const { pid } = this.#child;
    try {
      if (pid !== undefined) setPriority(pid, priority);
    } catch {
      // It has ended already.
    }
  }

  /** If the channel breaks, the worker ends, and its exit is reported. */
  #send(message: Message | Interrupt): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #settle(reply: Reply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.residentBytes = reply.residentBytes;
    if ('result' in reply) pending?.resolve(reply.result);
    else {
      const { code, message } = reply.error;
      pending?.reject(code === undefined ? new Error(message) : new EngineError(code, message));
    }
  }

  #end(error: Error): void {
    this.#isEnded = true;
    this.#pending?.reject(error);
    this.#pending = undefined;
  }

  /** A SIGKILL that this process did not send comes from outside, mostly from a system whose memory is used up. */
  #deathOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#isKilled) return unavailable('The process for this query was stopped.');
    const cause = new Error(`A worker process ended with ${signal ?? `code ${code}`}. ${this.#lastWords}`.trimEnd());
    if (signal === 'SIGKILL') return overloaded('The process of this query was ended by the system. Try again.', cause);
    this.crash = cause.message;
    return new EngineError('query_failed', 'The database could not finish this query: its process crashed.', { cause });
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const PROGRAM = fileURLToPath(new URL('./worker-main.js', import.meta.url));
/** Heap of JavaScript: results have a few megabytes. */
const MAX_HEAP_MB = 96;
const MAX_LAST_WORDS = 2_000;

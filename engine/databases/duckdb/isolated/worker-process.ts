import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { overloadedError, unavailableError } from '../../failures.js';
import { EngineError } from '../../interface/errors.js';
import type { Interrupt, Message, Reply, RequestKind, Requests, Results } from './protocol.js';

/** The parent's side of a worker process. The worker handles one request at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  /** The resident memory of the process after the last request. */
  residentBytes = 0;
  /** A message for the operator, if the process has crashed. */
  crash: string | undefined;
  #pending: Pending | undefined;
  #hasEnded = false;
  #isKilled = false;
  /** The last part of the standard error output of the process, for the log. */
  #errorOutput = '';

  /** Starts the process. It does not inherit the environment, which may contain secrets, or the options of this process. */
  constructor() {
    this.#child = fork(PROGRAM, [], {
      env: {},
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.on('message', (reply: Reply) => this.#settle(reply));
    this.#child.on('error', (error) => this.#end(error));
    this.#child.on('exit', (code, signal) => this.#end(this.#explainExit(code, signal)));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errorOutput = (this.#errorOutput + chunk).slice(-MAX_ERROR_OUTPUT);
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends a request. Rejects with the error that the worker reports, or with an `EngineError` if the worker ends. */
  ask<Kind extends RequestKind>(kind: Kind, request: Requests[Kind]): Promise<Results[Kind]> {
    if (this.#hasEnded) return Promise.reject(unavailableError('The process for this query has ended.'));
    if (this.#pending !== undefined) return Promise.reject(new Error('This worker handles another request.'));
    return new Promise((resolve, reject) => {
      this.#pending = { resolve: resolve as (result: unknown) => void, reject };
      this.#send({ kind, request } as Message);
    });
  }

  /** Stops the running query. The request then rejects. */
  interrupt(): void {
    this.#send({ kind: 'interrupt' });
  }

  /** Kills the process immediately, and with it the running query. */
  kill(): void {
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
  }

  /** Ignores errors: if the channel breaks, the worker ends, and the event `exit` reports this. */
  #send(message: Message | Interrupt): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #settle(reply: Reply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.residentBytes = reply.residentBytes;
    if ('result' in reply) pending?.resolve(reply.result);
    else {
      const { code, message, cause: reason } = reply.error;
      const cause = reason === undefined ? {} : { cause: new Error(reason) };
      pending?.reject(code === undefined ? new Error(message) : new EngineError(code, message, cause));
    }
  }

  #end(error: Error): void {
    this.#hasEnded = true;
    this.#pending?.reject(error);
    this.#pending = undefined;
  }

  /**
   * Returns the error that explains the end of the process. A SIGKILL that this process did not send usually comes from
   * the operating system when it runs out of memory.
   */
  #explainExit(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#isKilled) return unavailableError('The process for this query was stopped.');
    const cause = new Error(`A worker process ended with ${signal ?? `code ${code}`}. ${this.#errorOutput}`.trimEnd());
    if (signal === 'SIGKILL')
      return overloadedError('The system ended the process for this query. Try again later.', cause);
    this.crash = cause.message;
    return new EngineError('query_failed', 'The query failed because its process crashed.', { cause });
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const PROGRAM = fileURLToPath(new URL('./worker-main.js', import.meta.url));
/** The limit of the JavaScript heap. A few megabytes are enough for a result. */
const MAX_HEAP_MB = 96;
const MAX_ERROR_OUTPUT = 2_000;

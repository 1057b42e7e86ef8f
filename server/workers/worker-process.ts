import cluster, { type Worker } from 'node:cluster';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { SharedWorkStatus } from '../background/shared-work.js';
import type { StopReason } from '../listening/drain.js';
import type { SentHistory } from '../live/definition-history.js';
import type { FamilyValues } from '../metrics/metrics.js';
import type { ProcessMetrics, ReadyWorker, ToPrimary, ToWorker, WorkerStart } from './messages.js';

/** How a worker ended. */
export interface WorkerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The error message of a failed start. */
  readonly failure: string | undefined;
}

/** The requests that a worker sends to its primary process while it serves. */
export interface WorkerRequests {
  onDefinitions(worker: WorkerProcess, history: SentHistory | undefined): void;
  onMetrics(worker: WorkerProcess, families: readonly FamilyValues[]): void;
  onSharedWorkStatus(worker: WorkerProcess, status: SharedWorkStatus | undefined): void;
  /** Returns the metrics of all workers; undefined if they could not be read. */
  collectMetrics(): Promise<ProcessMetrics | undefined>;
}

/** A worker, from the view of its primary process. */
export class WorkerProcess {
  readonly #worker: Worker;
  readonly #start: WorkerStart;
  readonly #requests: WorkerRequests;
  /** The resolvers of calls that wait for the next metrics of the worker. */
  #metricsWaiting: (() => void)[] = [];
  #failure: string | undefined;
  #needsReload = false;
  #readyAt: number | undefined;
  #exit: WorkerExit | undefined;
  #isStopping = false;
  /** Resolves when the worker listens. Rejects with the reason if the worker ends before that. */
  readonly ready: Promise<ReadyWorker>;
  readonly exited: Promise<WorkerExit>;
  /** Resolves when the worker stops and no connection waits for it, or when it has ended. */
  readonly drained: Promise<boolean>;
  /** Resolves when the worker has stopped accepting connections, or when it has ended. */
  readonly closed: Promise<boolean>;

  /** Starts a worker. */
  constructor(start: WorkerStart, requests: WorkerRequests) {
    this.#start = start;
    this.#requests = requests;
    this.#worker = cluster.fork();
    closeLostConnections(this.#worker);
    // The error occurs when a message is sent to a worker that has just ended. `exited` reports the end of the worker.
    this.#worker.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.#worker.once('exit', (code: number | null, signal: string | null) => {
        this.#exit = { code, signal, failure: this.#failure };
        resolve(this.#exit);
      });
    });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: ToPrimary) => this.#take(message, resolve));
      void this.exited.then((exit) => reject(new Error(describeExit(exit))));
    });
    [this.drained, this.closed] = [this.#reported('drained'), this.#reported('closed')];
    // Prevents an unhandled rejection if no caller waits for the start.
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  /** Whether the worker accepts connections. */
  get isServing(): boolean {
    return this.#readyAt !== undefined && !this.#isStopping && this.#exit === undefined;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  get hasServed(): boolean {
    return this.#readyAt !== undefined;
  }

  /** How long the worker has listened, in milliseconds. */
  get servedMs(): number {
    return this.#readyAt === undefined ? 0 : performance.now() - this.#readyAt;
  }

  /** Makes the worker reload its definitions. During its start, the reload is delayed until the start has ended. */
  reload(): void {
    if (this.#readyAt === undefined) this.#needsReload = true;
    else this.#send({ kind: 'reload' });
  }

  /** Makes the worker do the shared work. */
  giveSharedWork(): void {
    this.#send({ kind: 'take-shared-work' });
  }

  /** Sends the status of the shared work to the worker. */
  sendSharedWorkStatus(status: SharedWorkStatus | undefined): void {
    this.#send({ kind: 'shared-work-status', status });
  }

  /** Requests the metrics of the worker. Resolves when it has reported them, or has ended; `late` after the time limit. */
  async readMetrics(limitMs: number): Promise<'read' | 'late'> {
    const read = new Promise<void>((resolve) => this.#metricsWaiting.push(resolve));
    this.#send({ kind: 'read-metrics' });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), limitMs);
    });
    const answer = await Promise.race([read, this.exited, late]).finally(() => clearTimeout(timer));
    return answer === 'late' ? 'late' : 'read';
  }

  /** Stops the worker after its requests have ended, or kills it after the time limit. Resolves to how it ended. */
  async stop(reason: StopReason, limitMs: number): Promise<WorkerExit & { readonly wasKilled: boolean }> {
    this.#isStopping = true;
    let wasKilled = false;
    this.#send({ kind: 'stop', reason });
    const timer = setTimeout(() => {
      wasKilled = true;
      this.kill();
    }, limitMs);
    const exit = await this.exited;
    clearTimeout(timer);
    return { ...exit, wasKilled };
  }

  /** Reports to the worker that all workers have reached a step of a stop. */
  report(step: 'all-drained' | 'all-closed'): void {
    this.#send({ kind: step });
  }

  /** Kills the worker at once. */
  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  #take(message: ToPrimary, onReady: (ready: ReadyWorker) => void): void {
    switch (message.kind) {
      case 'hello':
        this.#send({ kind: 'begin', ...this.#start });
        return;
      case 'failed':
        this.#failure = message.message;
        return;
      case 'definitions':
        this.#requests.onDefinitions(this, message.history);
        return;
      case 'shared-work-status':
        this.#requests.onSharedWorkStatus(this, message.status);
        return;
      case 'metrics':
        this.#requests.onMetrics(this, message.families);
        for (const resolve of this.#metricsWaiting.splice(0)) resolve();
        return;
      case 'collect-metrics':
        void this.#collectMetrics(message);
        return;
      case 'flush':
        void this.#flush();
        return;
      case 'ready':
        this.#readyAt = performance.now();
        if (this.#needsReload) this.#send({ kind: 'reload' });
        onReady(message);
    }
  }

  async #reported(step: 'drained' | 'closed'): Promise<boolean> {
    const reported = new Promise<true>((resolve) => {
      this.#worker.on('message', ({ kind }: ToPrimary) => kind === step && resolve(true));
    });
    return Promise.race([reported, this.exited.then(() => false)]);
  }

  async #flush(): Promise<void> {
    // The connections that wait now are accepted between the first and the second round of the event loop.
    await nextRound();
    await nextRound();
    this.#send({ kind: 'flushed' });
  }

  async #collectMetrics({ request, own }: ToPrimary & { readonly kind: 'collect-metrics' }): Promise<void> {
    this.#requests.onMetrics(this, own);
    this.#send({ kind: 'all-metrics', request, processes: await this.#requests.collectMetrics() });
  }

  #send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => undefined);
  }
}

function describeExit({ code, signal, failure }: WorkerExit): string {
  if (failure !== undefined) return failure;
  return `A worker ended before it listened, with ${signal ?? `exit code ${code}`}.`;
}

/**
 * When a worker ends, closes a connection that was passed to it but that it did not accept. Node would keep the connection open, and its
 * client would wait forever. There is at most one per worker.
 */
function closeLostConnections({ process: child }: Worker): void {
  const offered = new Map<number, Closable>();
  const send = child.send as (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    const { act, seq } = (message ?? {}) as InternalMessage;
    if (act === 'newconn' && seq !== undefined) offered.set(seq, handle as Closable);
    return send.call(child, message, handle, ...rest);
  };
  // Node has no public event for this: the worker answers for each connection whether it accepts it.
  child.on('internalMessage', ({ ack }: InternalMessage) => {
    if (ack !== undefined) offered.delete(ack);
  });
  child.once('exit', () => {
    for (const connection of offered.values()) connection.close();
    offered.clear();
  });
}

interface InternalMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

interface Closable {
  close(): void;
}

import cluster from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { SharedWorkStatus } from '../background/shared-work.js';
import type { StopReason } from '../listening/drain.js';
import type { Handover } from '../listening/listen.js';
import type { SentHistory } from '../live/definition-history.js';
import type { FamilyValues } from '../metrics/metrics.js';
import type { ProcessMetrics, ReadyWorker, ToPrimary, ToWorker, WorkerStart } from './messages.js';

/** How long a worker waits for the first message of its primary process. */
const BEGIN_MS = 30_000;
/** The time limit for the answer of the primary process in each step of a stop. */
const STEP_MS = 5_000;
/** The time limit for the metrics of all workers. The time is longer than the primary process waits for the metrics of a worker. */
const COLLECT_MS = 10_000;

interface Orders {
  ready: [];
  begin: [start: WorkerStart];
  reload: [];
  'take-shared-work': [];
  'shared-work-status': [status: SharedWorkStatus | undefined];
  'read-metrics': [];
  stop: [StopReason];
  flushed: [];
  'all-drained': [];
  'all-closed': [];
}

/** The metrics of all workers, or the reason why they are unknown. */
interface Collected {
  readonly processes: ProcessMetrics | undefined;
  readonly problem: string;
}

const PRIMARY_ENDED = 'The primary process has ended.';
const WORKER_LATE = 'A worker did not report its metrics in time.';

/** The IPC channel between a process and its parent process. */
interface Channel {
  on(event: 'message', listener: (message: ToWorker) => void): unknown;
  send?(message: ToPrimary, onSent: () => void): unknown;
}

/** The connection of a worker to its primary process, from which it receives its orders. */
export class PrimaryLink implements Handover {
  readonly #orders = new EventEmitter<Orders>();
  readonly #collecting = new Map<number, (collected: Collected) => void>();
  #requests = 0;
  /** Resolves when the worker must stop: by order, or because the primary process has ended. */
  readonly stopped: Promise<StopReason>;
  readonly #ready: Promise<void>;
  /** The primary process may send the next two before this worker reaches the step: it does not wait long for a late worker. */
  readonly #allDrained: Promise<void>;
  readonly #allClosed: Promise<void>;
  readonly #channel: Channel;

  constructor(channel: Channel = process) {
    this.#channel = channel;
    this.#ready = new Promise((resolve) => this.#orders.once('ready', resolve));
    this.#allDrained = new Promise((resolve) => this.#orders.once('all-drained', resolve));
    this.#allClosed = new Promise((resolve) => this.#orders.once('all-closed', resolve));
    this.stopped = new Promise((resolve) => this.#orders.once('stop', resolve));
    channel.on('message', (message) => this.#take(message));
    const { worker } = cluster;
    worker?.once('disconnect', () => {
      // Without this flag, Node exits at once when the channel closes, and aborts the requests in progress.
      worker.exitedAfterDisconnect = true;
      for (const end of this.#collecting.values()) end({ processes: undefined, problem: PRIMARY_ENDED });
      // The primary process had the listening socket, so no further connections arrive.
      this.#orders.emit('stop', 'replaced');
      this.#orders.emit('flushed');
      this.#orders.emit('all-drained');
      this.#orders.emit('all-closed');
    });
  }

  /** Resolves when the primary process orders the start. */
  async begin(): Promise<WorkerStart> {
    const begun = once(this.#orders, 'begin', { signal: AbortSignal.timeout(BEGIN_MS) });
    this.#send({ kind: 'hello' });
    const [start] = (await begun.catch(() => {
      throw new Error(`The primary process did not answer within ${BEGIN_MS / 1_000} s.`);
    })) as [WorkerStart];
    return start;
  }

  on(order: 'reload' | 'take-shared-work' | 'read-metrics', listener: () => void): void {
    this.#orders.on(order, listener);
  }

  onSharedWorkStatus(listener: (status: SharedWorkStatus | undefined) => void): void {
    this.#orders.on('shared-work-status', listener);
  }

  /**
   * Resolves when the worker is ready, or must stop before that. If the primary process has ended, the start may never end, because a
   * worker cannot listen without its primary process.
   */
  async startEnded(): Promise<'ready' | 'stopped'> {
    return Promise.race([this.#ready.then(() => 'ready' as const), this.stopped.then(() => 'stopped' as const)]);
  }

  reportReady(ready: ReadyWorker): void {
    this.#orders.emit('ready');
    this.#send({ kind: 'ready', ...ready });
  }

  /** Sends the history that another worker needs to serve the same definitions. */
  reportDefinitions(history: SentHistory | undefined): void {
    this.#send({ kind: 'definitions', history });
  }

  reportSharedWork(status: SharedWorkStatus): void {
    this.#send({ kind: 'shared-work-status', status });
  }

  reportFailure(message: string): void {
    this.#send({ kind: 'failed', message });
  }

  reportMetrics(families: readonly FamilyValues[]): void {
    this.#send({ kind: 'metrics', families });
  }

  /**
   * Returns the metrics of all workers. `own` are the metrics of this worker. Throws if the primary process or a worker does not answer in
   * time.
   */
  async collectMetrics(own: readonly FamilyValues[], limitMs = COLLECT_MS): Promise<ProcessMetrics> {
    this.#requests += 1;
    const request = this.#requests;
    const collected = new Promise<ProcessMetrics>((resolve, reject) =>
      this.#collecting.set(request, ({ processes, problem }) =>
        processes === undefined ? reject(new Error(problem)) : resolve(processes),
      ),
    );
    const timer = setTimeout(() => {
      const problem = `The primary process did not answer within ${limitMs / 1_000} s.`;
      this.#collecting.get(request)?.({ processes: undefined, problem });
    }, limitMs);
    this.#send({ kind: 'collect-metrics', request, own });
    return collected.finally(() => {
      clearTimeout(timer);
      this.#collecting.delete(request);
    });
  }

  /**
   * The primary process answers after it has accepted all connections that waited, and the channel keeps the order. So the connections that
   * it passed to this worker before its answer have arrived. A connection that waits for a free worker was passed too, because this worker
   * is free when the primary process reads the message.
   */
  async flush(): Promise<void> {
    await this.#ask('flush', once(this.#orders, 'flushed'));
  }

  async allDrained(): Promise<void> {
    await this.#ask('drained', this.#allDrained);
  }

  async allClosed(): Promise<void> {
    await this.#ask('closed', this.#allClosed);
  }

  /** Allows the process to exit. Until then it needs the channel for connections that the primary process passes to it. */
  close(): void {
    process.channel?.unref();
  }

  #take(message: ToWorker): void {
    if (message.kind === 'all-metrics') this.#collecting.get(message.request)?.({ ...message, problem: WORKER_LATE });
    else if (message.kind === 'begin') this.#orders.emit('begin', message);
    else if (message.kind === 'shared-work-status') this.#orders.emit(message.kind, message.status);
    else if (message.kind === 'stop') this.#orders.emit('stop', message.reason);
    else this.#orders.emit(message.kind);
  }

  async #ask(kind: 'flush' | 'drained' | 'closed', answered: Promise<unknown>): Promise<void> {
    if (cluster.worker?.isConnected() === false) return;
    this.#send({ kind });
    // A worker stops even if its primary process does not answer.
    const limit = new AbortController();
    await Promise.race([answered, pause(STEP_MS, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
  }

  #send(message: ToPrimary): void {
    // A failed send is ignored: the event `disconnect` reports that the primary process has ended.
    this.#channel.send?.(message, () => undefined);
  }
}

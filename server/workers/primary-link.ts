import cluster from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import type { StopReason } from '../listening/drain.js';
import type { FamilyValues } from '../metrics/metrics.js';
import type { ProcessMetrics, ReadyWorker, ToPrimary, ToWorker } from './messages.js';

/** How long a worker waits for the first message of its primary process. */
const BEGIN_MS = 30_000;

interface Orders {
  begin: [isFirst: boolean];
  reload: [];
  'take-shared-work': [];
  'read-metrics': [];
  stop: [StopReason];
}

/** The connection of a worker to its primary process, which gives it all orders. */
export class PrimaryLink {
  readonly #orders = new EventEmitter<Orders>();
  readonly #collecting = new Map<number, (processes: ProcessMetrics | undefined) => void>();
  #requests = 0;
  /** Resolves when the worker must stop: by order, or because the primary process has ended. */
  readonly stopped: Promise<StopReason>;
  #isReady = false;

  constructor() {
    this.stopped = new Promise((resolve) => this.#orders.once('stop', resolve));
    process.on('message', (message: ToWorker) => this.#take(message));
    const { worker } = cluster;
    worker?.once('disconnect', () => {
      // Without this, Node ends the process at once, and with it the requests in progress.
      worker.exitedAfterDisconnect = true;
      for (const resolve of this.#collecting.values()) resolve(undefined);
      // The primary process held the listening handle, so no further connection arrives.
      this.#orders.emit('stop', 'replaced');
    });
  }

  /** Resolves when the worker can start. */
  async begin(): Promise<{ readonly isFirst: boolean }> {
    const begun = once(this.#orders, 'begin', { signal: AbortSignal.timeout(BEGIN_MS) });
    this.#send({ kind: 'hello' });
    const [isFirst] = (await begun.catch(() => {
      throw new Error(`The primary process did not answer within ${BEGIN_MS / 1_000} s.`);
    })) as [boolean];
    return { isFirst };
  }

  on(order: 'reload' | 'take-shared-work' | 'read-metrics', listener: () => void): void {
    this.#orders.on(order, listener);
  }

  /**
   * Resolves when the worker must stop although it is not ready. The start may never end then: without its primary process, a
   * worker cannot listen.
   */
  async stoppedBeforeReady(): Promise<void> {
    await this.stopped;
    if (this.#isReady) await new Promise(() => {});
  }

  reportReady(ready: ReadyWorker): void {
    this.#isReady = true;
    this.#send({ kind: 'ready', ...ready });
  }

  reportFailure(message: string): void {
    this.#send({ kind: 'failed', message });
  }

  reportMetrics(families: readonly FamilyValues[]): void {
    this.#send({ kind: 'metrics', families });
  }

  /** Returns the metrics of all workers, with those of this one. Throws if a worker does not report its metrics in time. */
  async collectMetrics(own: readonly FamilyValues[]): Promise<ProcessMetrics> {
    this.#requests += 1;
    const request = this.#requests;
    const collected = new Promise<ProcessMetrics | undefined>((resolve) => this.#collecting.set(request, resolve));
    this.#send({ kind: 'collect-metrics', request, own });
    const processes = await collected.finally(() => this.#collecting.delete(request));
    if (processes === undefined) throw new Error('The metrics of all workers could not be read.');
    return processes;
  }

  /** Lets the process end. Until then, it needs the channel for the connections that the primary process hands over. */
  close(): void {
    process.channel?.unref();
  }

  #take(message: ToWorker): void {
    if (message.kind === 'all-metrics') this.#collecting.get(message.request)?.(message.processes);
    else if (message.kind === 'begin') this.#orders.emit('begin', message.isFirst);
    else if (message.kind === 'stop') this.#orders.emit('stop', message.reason);
    else this.#orders.emit(message.kind);
  }

  #send(message: ToPrimary): void {
    // The event `disconnect` reports a primary process that has ended.
    process.send?.(message, () => undefined);
  }
}

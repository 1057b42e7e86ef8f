import {
  type Endpoint,
  type EndpointTrial,
  type Engine,
  type LiveState,
  rejectEndpoint,
  withDeadline,
} from '../../engine/index.js';

/** Time limit for looking up the queries of changed definitions in the database. */
const LOOK_UP_MS = 10_000;
/** Time limit for the queries for allowed values of changed definitions. They continue after it; until then every value is accepted. */
const CHOICES_MS = 1_000;

/** Tries out definitions on the database before they are served, and rejects the versions that were discarded. */
export class DefinitionTrials {
  readonly #engine: Engine;
  readonly #signal: AbortSignal;
  /** The hashes of discarded candidates by their file. */
  readonly #discarded = new Map<string, string>();
  #hasRejected = false;

  /** The signal ends the queries of a trial. */
  constructor(engine: Engine, signal: AbortSignal) {
    this.#engine = engine;
    this.#signal = signal;
  }

  /** Whether the database rejected definitions in the last trial. A table that is created later makes them valid. */
  get hasRejected(): boolean {
    return this.#hasRejected;
  }

  get hasDiscarded(): boolean {
    return this.#discarded.size > 0;
  }

  /** Rejects this version of a file from now on. */
  discard({ file, contentHash }: Pick<Endpoint, 'file' | 'contentHash'>): void {
    this.#discarded.set(file, contentHash);
  }

  /** Prepares and looks up the definitions that are not served yet, and reads their allowed values. */
  async tryOut(endpoints: readonly Endpoint[], canaries: LiveState['canaries']): Promise<EndpointTrial> {
    const isServed = (endpoint: Endpoint) =>
      this.#engine.serves(endpoint) || canaries.some(({ source }) => source === endpoint);
    const isDiscarded = (endpoint: Endpoint) =>
      this.#discarded.get(endpoint.file) === endpoint.contentHash && !this.#engine.serves(endpoint);
    const added = endpoints.filter((endpoint) => !isDiscarded(endpoint) && !isServed(endpoint));
    const trial = await this.#engine.tryOut(added, { withinMs: LOOK_UP_MS, signal: this.#signal });
    this.#hasRejected = trial.broken.size > 0;
    await this.#readChoices(added.filter((endpoint) => !trial.broken.has(endpoint)));
    const rejections = endpoints
      .filter(isDiscarded)
      .map((endpoint) => [endpoint, rejectEndpoint(endpoint, DISCARDED)] as const);
    return { ...trial, broken: new Map([...trial.broken, ...rejections]) };
  }

  /** Reads the allowed values of endpoints that are not served yet. The timer of the service reads those of the others. */
  async #readChoices(endpoints: readonly Endpoint[]): Promise<void> {
    const limits = { timeoutMs: CHOICES_MS, signal: this.#signal };
    const read = () => this.#engine.refreshChoices({ onlyDue: true }, endpoints);
    // It fails if the query is too slow, or if the service is being closed.
    await withDeadline(limits, (deadline) => deadline.bound(read())).catch(() => undefined);
  }
}

const DISCARDED = 'this version was discarded: change the file, or restore the version that is served';

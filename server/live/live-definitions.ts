import {
  type BrokenEndpoint,
  type Endpoint,
  type EndpointTrial,
  type Engine,
  type LiveState,
  type LoadedEndpoints,
  nextCanaries,
  nextDefinitions,
  type Problem,
  rejectEndpoint,
  withDeadline,
} from '../../engine/index.js';
import { DefinitionHistory, type HistoricLoad, type SentHistory } from './definition-history.js';
import type { CanaryState, LiveParts, ReloadOptions } from './live-parts.js';
import { loadComplete } from './load-complete.js';
import { createReport, hasChanged, isNews, logReload, type ReloadCounts, type ReloadReport } from './reload-report.js';

interface Decisions {
  readonly percent: number | undefined;
  readonly decided: ReadonlySet<string>;
  readonly now: Date;
}

/** The pause before definitions that the database could not check are checked again. */
const RETRY_MS = 5_000;

/**
 * The definitions of a running service. A reload replaces all of them in one step. If a file has problems, the last good version of its
 * definition is still served.
 */
export class LiveDefinitions {
  readonly #parts: LiveParts;
  #state: LiveState;
  #report: ReloadReport | undefined;
  /** The definitions that were in the files when `#state` was created. */
  #loaded: LoadedEndpoints | undefined;
  readonly #trials: DefinitionTrials;
  #last: Promise<unknown> = Promise.resolve();
  #isWaiting = false;
  #isAsked = false;
  #retry: NodeJS.Timeout | undefined;
  #stopWatching = async () => {};
  readonly #closed = new AbortController();
  /** The reloads since the start, by result. */
  readonly reloads: ReloadCounts = { succeeded: 0, problems: 0, failed: 0 };
  readonly #history = new DefinitionHistory();
  #onHistory: ((history: SentHistory | undefined) => void) | undefined;

  constructor(parts: LiveParts) {
    const { engine } = parts;
    this.#parts = parts;
    this.#trials = new DefinitionTrials(engine, this.#closed.signal);
    const { endpoints } = engine;
    const isInvalid = ({ file }: BrokenEndpoint) => endpoints.every((endpoint) => endpoint.file !== file);
    this.#state = {
      endpoints,
      broken: engine.broken().filter(isInvalid),
      outdated: [],
      canaries: [],
      paused: new Map(),
    };
  }

  get folders(): readonly string[] {
    return this.#parts.folders;
  }

  /** Returns the valid definitions of the files, including those that the database rejects. */
  newest(): readonly Endpoint[] {
    return (this.#loaded ?? this.#parts.engine).endpoints;
  }

  /** Returns the definitions that are served now. Endpoints whose queries the database rejects are broken. */
  state(): LiveState {
    const broken = this.#parts.engine.broken();
    const files = new Set(broken.map(({ file }) => file));
    const endpoints = this.#state.endpoints.filter(({ file }) => !files.has(file));
    return { ...this.#state, endpoints, broken };
  }

  /**
   * Reads all files again and serves the result. If `options` only promotes or discards running canaries, no file is read. Reloads run one after the other. Problems of files do not reject the promise: they are in the report.
   */
  reload(options: ReloadOptions = {}): Promise<ReloadReport> {
    const reload = this.#last.then(() => this.#countedReload(options));
    this.#last = reload.catch(() => undefined);
    return reload;
  }

  /**
   * Reloads without making the caller wait. A failure is only logged. All calls before the reload begins share one reload. If nothing
   * changed, the result is logged only if an operator requested the reload (`isAsked`).
   */
  reloadInBackground({ isAsked = false } = {}): void {
    this.#isAsked ||= isAsked;
    if (this.#isWaiting || this.#isClosed) return;
    this.#isWaiting = true;
    const reload = this.#last.then(() => {
      this.#isWaiting = false;
      const logsUnchanged = this.#isAsked;
      this.#isAsked = false;
      return this.#countedReload({}, logsUnchanged);
    });
    const message = 'the definitions could not be reloaded; the previous ones are served';
    this.#last = reload.catch((error: unknown) => this.#parts.logger.error({ err: error }, message));
  }

  /** Reloads if the database rejected definitions in the last reload. */
  async retryRejected(): Promise<void> {
    if (this.#trials.hasRejected) await this.reload();
  }

  /** Records the files with which the engine was opened, or, with a history, repeats the loads of another process. */
  async start([first, ...later]: readonly HistoricLoad[] = []): Promise<void> {
    const { loader, clock } = this.#parts;
    const files = first?.files ?? (await loader.filesOfLoad());
    this.#history.add({ at: clock(), ...first, files }, this.#state, false);
    for (const load of later) {
      loader.useFiles(load.files);
      await this.#reload(load, { now: load.at });
    }
    loader.useFiles(undefined);
  }

  /**
   * Calls the listener now and after each change, with the history that another process needs to serve the same definitions. The history is
   * undefined if it is too long.
   */
  followHistory(listener: (history: SentHistory | undefined) => void): void {
    this.#onHistory = listener;
    listener(this.#history.toSend());
  }

  canaries(): readonly CanaryState[] {
    return this.#state.canaries.map((canary) => {
      const { stable, source, percent } = canary;
      return { name: stable.definition.name, file: source.file, percent, ...this.#parts.canaries.countsOf(canary) };
    });
  }

  /**
   * Stops the candidates with these names, so that only the stable versions are served. The discarded versions are not served until their
   * files change.
   */
  discard(names: readonly string[]): Promise<ReloadReport> {
    return this.reload({ discarded: names });
  }

  /** Reloads after each change of a file. Resolves when all folders are watched. */
  async watch(): Promise<void> {
    const { watchFolders } = await import('./watch-folders.js');
    const { folders, pages } = this.#parts;
    this.#stopWatching = await watchFolders([...folders, ...pages.folders], () => this.reloadInBackground());
  }

  /** Waits for a reload in progress, and prevents further reloads. */
  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#retry);
    await this.#stopWatching();
    await this.#last;
    await this.#parts.canaries.close();
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  async #countedReload(options: ReloadOptions, logsUnchanged = false): Promise<ReloadReport> {
    try {
      const report = await this.#reload(options, { logsUnchanged });
      this.reloads[report.problems.length === 0 ? 'succeeded' : 'problems'] += 1;
      return report;
    } catch (error) {
      this.reloads.failed += 1;
      throw error;
    }
  }

  async #reload(
    options: ReloadOptions,
    { now = this.#parts.clock(), logsUnchanged = false } = {},
  ): Promise<ReloadReport> {
    const { canaryPercent: percent, promoted = [], discarded = [] } = options;
    const started = performance.now();
    const { logger } = this.#parts;
    const before = this.#state;
    const decided = new Set([...promoted, ...discarded]);
    for (const { stable, source } of before.canaries) {
      if (discarded.includes(stable.definition.name)) this.#trials.discard(source);
    }
    const loaded = (decided.size > 0 ? this.#loaded : undefined) ?? (await this.#load());
    // A folder that cannot be read or is empty is usually a mistake, and not a request to remove all its endpoints.
    const after = loaded.folders.length === 0 ? await this.#serve(loaded, { percent, decided, now }) : undefined;
    if (after !== undefined) await this.#addToHistory(options, now, after);
    const ofDefinitions = after === undefined ? loaded.problems : withProblems(loaded.problems, after);
    const { problems: ofPages, ...pages } = await this.#parts.pages.reload(this.state());
    const problems = [...ofDefinitions, ...ofPages];
    const report = createReport(before, after ?? before, { pages, problems, started });
    if (logsUnchanged || isNews(report, this.#report)) logReload(report, logger);
    this.#report = report;
    return report;
  }

  /** Serves the loaded definitions. Returns undefined and changes nothing if the service is being closed. */
  async #serve(loaded: LoadedEndpoints, { percent, decided, now }: Decisions): Promise<LiveState | undefined> {
    const { engine } = this.#parts;
    const before = this.#state;
    const trial = await this.#trials.tryOut(loaded.endpoints, before.canaries);
    if (trial.unchecked.size > 0) this.#retryLater();
    if (this.#isClosed) return undefined;
    // A definition that the database has rejected since the start is not a last good version.
    const good = { ...before, endpoints: this.state().endpoints };
    const newest = nextDefinitions({ before: good, loaded, trial, now });
    const after = nextCanaries({ before: good, after: newest, percent, decided });
    if (hasChanged(before, after)) engine.replace(after);
    this.#state = after;
    this.#loaded = loaded;
    return after;
  }

  async #addToHistory(options: ReloadOptions, at: Date, after: LiveState): Promise<void> {
    const files = await this.#parts.loader.filesOfLoad();
    const { hasDiscarded } = this.#trials;
    if (this.#history.add({ ...options, files, at }, after, hasDiscarded)) this.#onHistory?.(this.#history.toSend());
  }

  #load(): Promise<LoadedEndpoints> {
    const load = () => this.#parts.loader.load();
    return loadComplete(load, this.#state.endpoints, ({ endpoints, broken }) => [...endpoints, ...broken]);
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.reloadInBackground(), RETRY_MS).unref();
  }
}

function withProblems(problems: readonly Problem[], { broken, outdated }: LiveState): readonly Problem[] {
  return [...new Set([...problems, ...[...broken, ...outdated].flatMap((one) => one.problems)])];
}

/** Time limit for preparing the queries of changed definitions in the database. */
const LOOK_UP_MS = 10_000;
/**
 * Time limit for the queries that read the allowed values of changed definitions. After the limit, the queries continue in the background;
 * until they end, every value is accepted.
 */
const CHOICES_MS = 1_000;

/** Tries out definitions on the database before they are served, and keeps discarded versions from being served. */
class DefinitionTrials {
  readonly #engine: Engine;
  readonly #signal: AbortSignal;
  /** The content hashes of discarded candidates, by file. */
  readonly #discarded = new Map<string, string>();
  #hasRejected = false;

  /** `signal` aborts the queries of a trial. */
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

  /** From now on, this version of the file is not served. */
  discard({ file, contentHash }: Pick<Endpoint, 'file' | 'contentHash'>): void {
    this.#discarded.set(file, contentHash);
  }

  /** Prepares the queries of definitions that are not served yet in the database, and reads their allowed values. */
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
      .map((endpoint) => [endpoint, { ...rejectEndpoint(endpoint, DISCARDED), access: undefined }] as const);
    return { ...trial, broken: new Map([...trial.broken, ...rejections]) };
  }

  /**
   * Reads the allowed values of endpoints that are not served yet. For endpoints that are already served, the timer of the service does
   * this.
   */
  async #readChoices(endpoints: readonly Endpoint[]): Promise<void> {
    const limits = { timeoutMs: CHOICES_MS, signal: this.#signal };
    const read = () => this.#engine.refreshChoices({ onlyDue: true }, endpoints);
    // The wait fails if the query is too slow, or if the service is being closed.
    await withDeadline(limits, (deadline) => deadline.bound(read())).catch(() => undefined);
  }
}

const DISCARDED = 'this version was discarded: change the file, or restore the version that is served';

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

/** The wait before definitions that the database could not check are tried again. */
const RETRY_MS = 5_000;

/** The definitions of a running service. A reload changes all of them at once; a definition with problems keeps its last good version. */
export class LiveDefinitions {
  readonly #parts: LiveParts;
  #state: LiveState;
  #report: ReloadReport | undefined;
  /** The definitions in the files when `#state` began. */
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

  /** What is served now. Endpoints whose queries the database rejects are broken. */
  state(): LiveState {
    const broken = this.#parts.engine.broken();
    const files = new Set(broken.map(({ file }) => file));
    const endpoints = this.#state.endpoints.filter(({ file }) => !files.has(file));
    return { ...this.#state, endpoints, broken };
  }

  /**
   * Reads all files again and serves the result. A decision about canaries reads no files: it is about the versions that
   * run. Reloads run one after the other. Never rejects because of the files: the report contains their problems.
   */
  reload(options: ReloadOptions = {}): Promise<ReloadReport> {
    const reload = this.#last.then(() => this.#countedReload(options));
    this.#last = reload.catch(() => undefined);
    return reload;
  }

  /**
   * Reloads without a caller that waits: a failure is only logged. Calls before the beginning of the reload share it. A result without
   * a change is logged only if the operator asked for the reload.
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

  /** Remembers the files with which the engine was opened, or serves what another process served after these loads. */
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

  /** Calls the listener now and after each change with what another process needs to serve the same; undefined if it is too much. */
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

  /** Serves only the stable versions of these names. The versions of their files are not served until the files change. */
  discard(names: readonly string[]): Promise<ReloadReport> {
    return this.reload({ discarded: names });
  }

  /** Reloads after each change of a file. Resolves when all folders are watched. */
  async watch(): Promise<void> {
    const { watchFolders } = await import('./watch-folders.js');
    const { folders, pages } = this.#parts;
    this.#stopWatching = await watchFolders([...folders, ...pages.folders], () => this.reloadInBackground());
  }

  /** Waits for a reload in progress. No further reload changes anything. */
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
    // A folder that cannot be read, or that is empty, is more often a mistake than the wish to remove all its endpoints.
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

  /** Serves what was loaded. Returns undefined, without a change, if the service is being closed. */
  async #serve(loaded: LoadedEndpoints, { percent, decided, now }: Decisions): Promise<LiveState | undefined> {
    const { engine } = this.#parts;
    const before = this.#state;
    const trial = await this.#trials.tryOut(loaded.endpoints, before.canaries);
    if (trial.unchecked.size > 0) this.#retryLater();
    if (this.#isClosed) return undefined;
    // A definition that the database rejected since the start is not a good version.
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

/** Time limit for looking up the queries of changed definitions in the database. */
const LOOK_UP_MS = 10_000;
/** Time limit for the queries for allowed values of changed definitions. They continue after it; until then every value is accepted. */
const CHOICES_MS = 1_000;

/** Tries out definitions on the database before they are served, and rejects the versions that were discarded. */
class DefinitionTrials {
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

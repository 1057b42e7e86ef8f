import type { Logger } from 'pino';
import {
  type BrokenEndpoint,
  type DefinitionLoader,
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
import type { Canaries, CanaryCounts } from './canaries.js';
import type { LivePages } from './live-pages.js';
import { loadComplete } from './load-complete.js';
import { createReport, hasChanged, logReload, type ReloadCounts, type ReloadReport } from './reload-report.js';

export interface LiveParts {
  readonly folders: readonly string[];
  readonly engine: Engine;
  readonly loader: DefinitionLoader;
  readonly canaries: Canaries;
  readonly pages: LivePages;
  readonly logger: Logger;
  readonly clock: () => Date;
}

export interface ReloadOptions {
  /** The share in percent of the requests that changed definitions answer. Without it, they answer all requests. */
  readonly canaryPercent?: number | undefined;
  /** Names whose candidates answer all requests from now on. */
  readonly promoted?: readonly string[];
  /** Names whose candidates answer no requests from now on. */
  readonly discarded?: readonly string[];
}

/** A canary with what it did so far. */
export interface CanaryState extends CanaryCounts {
  readonly name: string;
  readonly file: string;
  readonly percent: number;
}

/** Time limit for looking up the queries of changed definitions in the database. */
const LOOK_UP_MS = 10_000;
/** Time limit for the queries for allowed values of changed definitions. They continue after it; until then every value is accepted. */
const CHOICES_MS = 1_000;
/** The wait before definitions that the database could not check are tried again. */
const RETRY_MS = 5_000;

/** The definitions of a running service. A reload changes all of them at once; a definition with problems keeps its last good version. */
export class LiveDefinitions {
  readonly #parts: LiveParts;
  #state: LiveState;
  #report: ReloadReport | undefined;
  /** The definitions in the files when `#state` began. */
  #loaded: LoadedEndpoints | undefined;
  /** The hashes of discarded candidates by their file. */
  readonly #discarded = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();
  #isWaiting = false;
  #retry: NodeJS.Timeout | undefined;
  #stopWatching = async () => {};
  readonly #closed = new AbortController();
  /** Whether the database rejected definitions in the last reload. A table that is created later makes them valid. */
  #isRejected = false;
  /** The reloads since the start, by result. */
  readonly reloads: ReloadCounts = { succeeded: 0, problems: 0, failed: 0 };

  constructor(parts: LiveParts) {
    const { engine } = parts;
    this.#parts = parts;
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

  /** Reloads without a caller that waits: a failure is only logged. Calls before the beginning of the reload share it. */
  reloadInBackground(): void {
    if (this.#isWaiting || this.#isClosed) return;
    this.#isWaiting = true;
    const reload = this.#last.then(() => {
      this.#isWaiting = false;
      return this.#countedReload({});
    });
    const message = 'the definitions could not be reloaded; the previous ones are served';
    this.#last = reload.catch((error: unknown) => this.#parts.logger.error({ err: error }, message));
  }

  /** Reloads if the database rejected definitions in the last reload. */
  async retryRejected(): Promise<void> {
    if (this.#isRejected) await this.reload();
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

  async #countedReload(options: ReloadOptions): Promise<ReloadReport> {
    try {
      const report = await this.#reload(options);
      this.reloads[report.problems.length === 0 ? 'succeeded' : 'problems'] += 1;
      return report;
    } catch (error) {
      this.reloads.failed += 1;
      throw error;
    }
  }

  async #reload({ canaryPercent: percent, promoted = [], discarded = [] }: ReloadOptions): Promise<ReloadReport> {
    const started = performance.now();
    const { logger } = this.#parts;
    const before = this.#state;
    const decided = new Set([...promoted, ...discarded]);
    for (const { stable, source } of before.canaries) {
      if (discarded.includes(stable.definition.name)) this.#discarded.set(source.file, source.contentHash);
    }
    const loaded = (decided.size > 0 ? this.#loaded : undefined) ?? (await this.#load());
    // A folder that cannot be read, or that is empty, is more often a mistake than the wish to remove all its endpoints.
    const after = loaded.folders.length === 0 ? await this.#serve(loaded, percent, decided) : undefined;
    const ofDefinitions = after === undefined ? loaded.problems : withProblems(loaded.problems, after);
    const { problems: ofPages, ...pages } = await this.#parts.pages.reload(this.state());
    const problems = [...ofDefinitions, ...ofPages];
    const report = createReport(before, after ?? before, { pages, problems, started });
    logReload(report, this.#report, logger);
    this.#report = report;
    return report;
  }

  /** Serves what was loaded. Returns undefined, without a change, if the service is being closed. */
  async #serve(
    loaded: LoadedEndpoints,
    percent: number | undefined,
    decided: ReadonlySet<string>,
  ): Promise<LiveState | undefined> {
    const { engine, clock } = this.#parts;
    const before = this.#state;
    const trial = await this.#tryOut(loaded.endpoints);
    await this.#readChoices(loaded.endpoints.filter((one) => !this.#isServed(one) && !trial.broken.has(one)));
    if (this.#isClosed) return undefined;
    // A definition that the database rejected since the start is not a good version.
    const good = { ...before, endpoints: this.state().endpoints };
    const newest = nextDefinitions({ before: good, loaded, trial, now: clock() });
    const after = nextCanaries({ before: good, after: newest, percent, decided });
    if (hasChanged(before, after)) engine.replace(after);
    this.#state = after;
    this.#loaded = loaded;
    return after;
  }

  /** Prepares and looks up the definitions that are not served yet. */
  async #tryOut(endpoints: readonly Endpoint[]): Promise<EndpointTrial> {
    const { engine } = this.#parts;
    const isDiscarded = (endpoint: Endpoint) =>
      this.#discarded.get(endpoint.file) === endpoint.contentHash && !engine.serves(endpoint);
    const discarded = endpoints.filter(isDiscarded);
    const added = endpoints.filter((endpoint) => !isDiscarded(endpoint) && !this.#isServed(endpoint));
    const trial = await engine.tryOut(added, { withinMs: LOOK_UP_MS, signal: this.#closed.signal });
    this.#isRejected = trial.broken.size > 0;
    if (trial.unchecked.size > 0) this.#retryLater();
    const rejections = discarded.map((endpoint) => [endpoint, rejectEndpoint(endpoint, DISCARDED)] as const);
    return { ...trial, broken: new Map([...trial.broken, ...rejections]) };
  }

  /** Whether requests get this version, or its candidate. */
  #isServed(endpoint: Endpoint): boolean {
    return this.#parts.engine.serves(endpoint) || this.#state.canaries.some(({ source }) => source === endpoint);
  }

  /** Reads the allowed values of endpoints that are not served yet. The timer of the service reads those of the others. */
  async #readChoices(endpoints: readonly Endpoint[]): Promise<void> {
    const limits = { timeoutMs: CHOICES_MS, signal: this.#closed.signal };
    const read = () => this.#parts.engine.refreshChoices({ onlyDue: true }, endpoints);
    // It fails if the query is too slow, or if the service is being closed.
    await withDeadline(limits, (deadline) => deadline.bound(read())).catch(() => undefined);
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

const DISCARDED = 'this version was discarded: change the file, or restore the version that is served';

function withProblems(problems: readonly Problem[], { broken, outdated }: LiveState): readonly Problem[] {
  return [...new Set([...problems, ...[...broken, ...outdated].flatMap((one) => one.problems)])];
}

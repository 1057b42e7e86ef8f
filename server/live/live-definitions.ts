import { setTimeout as pause } from 'node:timers/promises';
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
} from '../../engine/index.js';
import type { Canaries, CanaryCounts } from './canaries.js';
import { createReport, hasChanged, logReload, type ReloadReport } from './reload-report.js';

export interface LiveParts {
  readonly folders: readonly string[];
  readonly engine: Engine;
  readonly loader: DefinitionLoader;
  readonly canaries: Canaries;
  readonly logger: Logger;
  readonly clock: () => Date;
}

export interface ReloadOptions {
  /** The share in percent of the requests that changed definitions answer. Without it, they answer all requests. */
  readonly canaryPercent?: number | undefined;
  /** Names whose candidates answer all requests from now on. */
  readonly promoted?: readonly string[];
}

/** A canary with what it did so far. */
export interface CanaryState extends CanaryCounts {
  readonly name: string;
  readonly file: string;
  readonly percent: number;
}

/** Time limit for looking up the queries of changed definitions in the database. */
const LOOK_UP_MS = 10_000;
/** An editor that replaces a file removes it for a moment. A file that is absent is looked for again after this time. */
export const REPLACE_MS = 100;
/** The wait before definitions that the database could not check are tried again. */
const RETRY_MS = 5_000;

/** The definitions of a running service. A reload changes all of them at once; a definition with problems keeps its last good version. */
export class LiveDefinitions {
  readonly #parts: LiveParts;
  #state: LiveState;
  #report: ReloadReport | undefined;
  /** The hashes of discarded candidates by their file. */
  readonly #discarded = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();
  #isWaiting = false;
  #retry: NodeJS.Timeout | undefined;
  #stopWatching = async () => {};
  #isClosed = false;
  /** Whether the database rejected definitions in the last reload. A table that is created later makes them valid. */
  #isRejected = false;

  constructor(parts: LiveParts) {
    const { engine } = parts;
    this.#parts = parts;
    const { endpoints } = engine;
    const isInvalid = ({ file }: BrokenEndpoint) => endpoints.every((endpoint) => endpoint.file !== file);
    this.#state = { endpoints, broken: engine.broken().filter(isInvalid), outdated: [], canaries: [] };
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
   * Reads all files again and serves the result. Reloads run one after the other. Never rejects because of the files: the report
   * contains their problems.
   */
  reload(options: ReloadOptions = {}): Promise<ReloadReport> {
    const reload = this.#last.then(() => this.#reload(options));
    this.#last = reload.catch(() => undefined);
    return reload;
  }

  /** Reloads without a caller that waits: a failure is only logged. Calls before the beginning of the reload share it. */
  reloadInBackground(): void {
    if (this.#isWaiting || this.#isClosed) return;
    this.#isWaiting = true;
    const reload = this.#last.then(() => {
      this.#isWaiting = false;
      return this.#reload({});
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
    for (const { stable, source } of this.#state.canaries) {
      if (names.includes(stable.definition.name)) this.#discarded.set(source.file, source.contentHash);
    }
    return this.reload();
  }

  /** Reloads after each change of a file. Resolves when all folders are watched. */
  async watch(): Promise<void> {
    const { watchFolders } = await import('./watch-folders.js');
    this.#stopWatching = await watchFolders(this.#parts.folders, () => this.reloadInBackground());
  }

  /** Waits for a reload in progress. No further reload changes anything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#stopWatching();
    await this.#last;
    await this.#parts.canaries.close();
  }

  async #reload({ canaryPercent: percent, promoted = [] }: ReloadOptions): Promise<ReloadReport> {
    const started = performance.now();
    const { engine, clock, logger } = this.#parts;
    const before = this.#state;
    const loaded = await this.#load();
    // A folder that cannot be read, or that is empty, is more often a mistake than the wish to remove all its endpoints.
    let [after, problems] = [before, loaded.problems];
    if (loaded.folders.length === 0 && !this.#isClosed) {
      const trial = await this.#tryOut(loaded.endpoints);
      const newest = nextDefinitions({ before, loaded, trial, now: clock() });
      after = nextCanaries({ before, after: newest, percent, promoted: new Set(promoted) });
      problems = withProblems(loaded.problems, after);
      await engine.refreshChoices({ onlyDue: true }, loaded.endpoints);
      if (hasChanged(before, after)) engine.replace(after);
      this.#state = after;
    }
    const report = createReport(before, after, { problems, started });
    logReload(report, this.#report, logger);
    this.#report = report;
    return report;
  }

  /** Prepares and looks up the definitions that are not served yet. */
  async #tryOut(endpoints: readonly Endpoint[]): Promise<EndpointTrial> {
    const { engine } = this.#parts;
    const isDiscarded = ({ file, contentHash }: Endpoint) => this.#discarded.get(file) === contentHash;
    const discarded = endpoints.filter((endpoint) => isDiscarded(endpoint) && !engine.serves(endpoint));
    const added = endpoints.filter((endpoint) => !engine.serves(endpoint) && !discarded.includes(endpoint));
    const trial = await engine.tryOut(added, { withinMs: LOOK_UP_MS });
    this.#isRejected = trial.broken.size > 0;
    if (trial.unchecked.size > 0) this.#retryLater();
    const rejections = discarded.map((endpoint) => [endpoint, rejectEndpoint(endpoint, DISCARDED)] as const);
    return { ...trial, broken: new Map([...trial.broken, ...rejections]) };
  }

  /** Loads the files. If a file is absent that was there before, it looks again, because an editor may be replacing it. */
  async #load(): Promise<LoadedEndpoints> {
    const { loader } = this.#parts;
    const loaded = await loader.load();
    const files = new Set([...loaded.endpoints, ...loaded.broken].map(({ file }) => file));
    if (this.#state.endpoints.every(({ file }) => files.has(file))) return loaded;
    await pause(REPLACE_MS);
    return loader.load();
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

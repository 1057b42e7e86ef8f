import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type BrokenEndpoint,
  type DefinitionLoader,
  type Endpoint,
  type Engine,
  formatProblem,
  type LiveState,
  type LoadedEndpoints,
  nextDefinitions,
  type Problem,
} from '../../engine/index.js';
import { watchFolders } from './watch-folders.js';

/** What a reload changed, as names of endpoints. */
export interface ReloadReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The last good versions that are served because their files have problems. */
  readonly outdated: readonly string[];
  /** All problems of the definitions, also those that were known before. */
  readonly problems: readonly Problem[];
  readonly endpoints: number;
  readonly ms: number;
}

export interface LiveParts {
  readonly folders: readonly string[];
  readonly engine: Engine;
  readonly loader: DefinitionLoader;
  readonly logger: Logger;
  readonly clock: () => Date;
}

/** Time limit for looking up the queries of changed definitions in the database. */
const LOOK_UP_MS = 10_000;
/** An editor that replaces a file removes it for a moment. A file that is absent is looked for again after this time. */
const REPLACE_MS = 100;
/** The wait before definitions that the database could not check are tried again. */
const RETRY_MS = 5_000;

/** The definitions of a running service. A reload changes all of them at once; a definition with problems keeps its last good version. */
export class LiveDefinitions {
  readonly #parts: LiveParts;
  #state: LiveState;
  #problems: readonly Problem[] = [];
  /** The problems that the log contains. */
  #logged: readonly Problem[] = [];
  #running: Promise<ReloadReport> | undefined;
  #next: Promise<ReloadReport> | undefined;
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
    this.#state = { endpoints, broken: engine.broken().filter(isInvalid), outdated: [] };
  }

  get folders(): readonly string[] {
    return this.#parts.folders;
  }

  /** What is served now. Endpoints whose queries the database rejects are broken. */
  state(): LiveState {
    const { engine } = this.#parts;
    const broken = engine.broken();
    const files = new Set(broken.map(({ file }) => file));
    return {
      endpoints: engine.endpoints.filter(({ file }) => !files.has(file)),
      broken,
      outdated: this.#state.outdated,
    };
  }

  /**
   * Reads all files again and serves the result. A call during a reload starts one more reload after it, because a file may have
   * changed after it was read. Never rejects because of the files: the report contains their problems.
   */
  reload(): Promise<ReloadReport> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  /** Reloads after each change of a file. Resolves when all folders are watched. */
  async watch(): Promise<void> {
    this.#stopWatching = await watchFolders(this.#parts.folders, () => this.reloadInBackground());
  }

  /** Reloads without a caller that waits: a failure is only logged. */
  reloadInBackground(): void {
    const { logger } = this.#parts;
    const message = 'the definitions could not be reloaded; the previous ones are served';
    this.reload().catch((error: unknown) => logger.error({ err: error }, message));
  }

  /** Reloads if the database rejected definitions in the last reload. */
  async retryRejected(): Promise<void> {
    if (this.#isRejected) await this.reload();
  }

  /** Waits for a reload in progress. No further reload starts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#stopWatching();
    await Promise.all([this.#running, this.#next].map((reload) => reload?.catch(() => undefined)));
  }

  #start(): Promise<ReloadReport> {
    const running = this.#reload().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #reload(): Promise<ReloadReport> {
    const started = performance.now();
    const { engine, clock } = this.#parts;
    const before = this.#state;
    const loaded = this.#isClosed ? undefined : await this.#load();
    if (loaded === undefined) return this.#report(before, before, started);
    this.#problems = loaded.problems;
    // A folder that cannot be read, or that is empty, is more often a mistake than the wish to remove all its endpoints.
    if (loaded.folders.length > 0) return this.#report(before, before, started);
    const added = loaded.endpoints.filter((endpoint) => !engine.serves(endpoint));
    const trial = await engine.tryOut(added, { withinMs: LOOK_UP_MS });
    this.#isRejected = trial.broken.size > 0;
    if (trial.unchecked.size > 0) this.#retryLater();
    const after = nextDefinitions({ before, loaded, trial, now: clock() });
    if (hasChanged(before, after)) engine.replace(after);
    this.#state = after;
    const rejected = [...after.broken, ...after.outdated].flatMap(({ problems }) => problems);
    this.#problems = [...new Set([...loaded.problems, ...rejected])];
    return this.#report(before, after, started);
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

  #report(before: LiveState, after: LiveState, started: number): ReloadReport {
    const [old, current] = [byName(before.endpoints), byName(after.endpoints)];
    const report: ReloadReport = {
      added: [...current.keys()].filter((name) => !old.has(name)),
      changed: [...current].flatMap(([name, endpoint]) => (old.has(name) && old.get(name) !== endpoint ? [name] : [])),
      removed: [...old.keys()].filter((name) => !current.has(name)),
      outdated: after.outdated.map(({ endpoint }) => endpoint.definition.name),
      problems: this.#problems,
      endpoints: after.endpoints.length,
      ms: Math.round(performance.now() - started),
    };
    if (isNews(report, this.#logged)) logReload(report, this.#parts.logger);
    this.#logged = report.problems;
    return report;
  }
}

function hasChanged(before: LiveState, after: LiveState): boolean {
  const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
    one.length === other.length && one.every((item, index) => item === other[index]);
  const problemsOf = ({ broken }: LiveState) => broken.flatMap(({ problems }) => problems.map(formatProblem));
  return !isSame(before.endpoints, after.endpoints) || !isSame(problemsOf(before), problemsOf(after));
}

function byName(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  return new Map(endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
}

function logReload({ problems, ...report }: ReloadReport, logger: Logger): void {
  if (problems.length === 0) logger.info(report, 'the definitions were reloaded');
  else {
    const texts = problems.map(formatProblem);
    logger.error({ ...report, problems: texts }, 'the definitions were reloaded with problems');
  }
}

/** Whether a reload has a result that the log does not contain yet. */
function isNews(report: ReloadReport, last: readonly Problem[]): boolean {
  const { added, changed, removed, problems } = report;
  const isSame = problems.map(formatProblem).join('\n') === last.map(formatProblem).join('\n');
  return added.length + changed.length + removed.length > 0 || !isSame;
}

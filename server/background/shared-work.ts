import type { Logger } from 'pino';
import type { StateStore } from '../../accounts/state-store.js';
import type { Database } from '../../engine/index.js';
import type { Store } from '../../warehouse/store/store.js';
import type { Settings } from '../settings/settings.js';
import type { RepositoryFollower } from './follow-repositories.js';
import type { FollowedArchive } from './followed-archive.js';
import { forgetOldChanges } from './forget-changes.js';
import { forgetOldQuestions } from './forget-questions.js';
import { keepTrendsCurrent } from './refresh-trends.js';
import type { RepeatedWork } from './repeat.js';

type StartedWork = readonly (Pick<RepeatedWork, 'stop'> | undefined)[];

export interface SharedWorkParts {
  readonly settings: Settings;
  readonly warehouse: {
    readonly database: Database;
    /** Undefined without write access, as the state. */
    readonly store: Store | undefined;
    readonly state: StateStore | undefined;
  };
  readonly archive: Pick<FollowedArchive, 'follow'>;
  readonly repositories: RepositoryFollower | undefined;
  readonly clock: () => Date;
  readonly systemClock: () => Date;
  readonly logger: Logger;
}

/**
 * The work that one process does for all workers of a service: following the archive and the tracked repositories, refreshing the
 * trends and deleting old rows.
 */
export class SharedWork {
  readonly #parts: SharedWorkParts;
  #started: Promise<StartedWork> | undefined;
  #isStopped = false;

  constructor(parts: SharedWorkParts) {
    this.#parts = parts;
  }

  /** Begins the work. Resolves when the answers of the service need no longer wait for it. */
  async start(): Promise<void> {
    if (this.#isStopped) return;
    this.#started ??= this.#begin();
    await this.#started;
  }

  /** Prevents further runs. Resolves when the current runs have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const started = await this.#started;
    await Promise.all((started ?? []).map((work) => work?.stop()));
  }

  async #begin(): Promise<StartedWork> {
    const { settings, warehouse, archive, repositories, clock, systemClock, logger } = this.#parts;
    const { store, database, state } = warehouse;
    const trends = store && (await keepTrendsCurrent(store, database, clock, logger));
    return [
      trends,
      forgetOldChanges(settings, state, logger, systemClock),
      forgetOldQuestions(settings.explorerKeepDays, state, logger, systemClock),
      archive.follow(),
      repositories?.start(),
    ];
  }
}

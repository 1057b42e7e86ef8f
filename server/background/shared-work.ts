import type { Logger } from 'pino';
import { deleteOldAuditEntries } from '../../accounts/audit-log.js';
import type { StateStore } from '../../accounts/state-store.js';
import type { Database } from '../../engine/index.js';
import type { TrackingReport } from '../../github/tracking/tracking-progress.js';
import { ageOfRefresh, refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { FollowProgress } from '../../warehouse/import/follow/follow-progress.js';
import type { Store } from '../../warehouse/store/store.js';
import type { Settings } from '../settings/settings.js';
import type { RepositoryFollower } from './follow-repositories.js';
import type { FollowedArchive } from './followed-archive.js';
import { forgetOld, forgetOldQuestions } from './forget-old.js';
import { isLate, type RepeatedWork, repeat } from './repeat.js';

/** The status that the process with the shared work sends to the other workers. */
export interface SharedWorkStatus {
  readonly follow: FollowProgress | undefined;
  readonly tracking: TrackingReport | undefined;
}

type StartedWork = readonly (Pick<RepeatedWork, 'stop'> | undefined)[];

export interface SharedWorkParts {
  readonly settings: Settings;
  readonly warehouse: {
    readonly database: Database;
    /** Undefined without write access, as is `state`. */
    readonly store: Store | undefined;
    readonly state: StateStore | undefined;
  };
  readonly archive: Pick<FollowedArchive, 'follow' | 'follower' | 'useReported'>;
  readonly repositories: RepositoryFollower | undefined;
  /** Starts to send digests. Undefined without write access, or if e-mail is not configured. */
  readonly startDigests: (() => Promise<Pick<RepeatedWork, 'stop'> | undefined>) | undefined;
  readonly clock: () => Date;
  readonly systemClock: () => Date;
  readonly logger: Logger;
}

/**
 * The work that one process does for all workers of a service: following the archive and the tracked repositories, refreshing the
 * trends, sending digests and deleting old rows.
 */
export class SharedWork {
  readonly #parts: SharedWorkParts;
  #started: Promise<StartedWork> | undefined;
  #isStopped = false;
  /** The last report of the worker that follows the repositories, if that is another process. */
  #tracking: TrackingReport | undefined;

  constructor(parts: SharedWorkParts) {
    this.#parts = parts;
  }

  /** Starts the work. Resolves when the service can start to answer requests. */
  async start(): Promise<void> {
    if (this.#isStopped) return;
    this.#started ??= this.#begin();
    await this.#started;
  }

  /** The last report about the tracked repositories, from this process or from another worker. */
  get tracking(): TrackingReport | undefined {
    return this.#parts.repositories?.report.status ?? this.#tracking;
  }

  /** Returns the status of the work in this process, for the other workers. */
  status(): SharedWorkStatus {
    const { archive, repositories } = this.#parts;
    return { follow: archive.follower?.progress(), tracking: repositories?.report.status };
  }

  /** Stores the status that the worker with the shared work sent; undefined if no worker has it. */
  useStatus(status: SharedWorkStatus | undefined): void {
    this.#parts.archive.useReported(status?.follow);
    this.#tracking = status?.tracking;
  }

  /** Stops the work. Resolves when the current runs have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const started = await this.#started;
    await Promise.all((started ?? []).map((work) => work?.stop()));
  }

  async #begin(): Promise<StartedWork> {
    const { settings, warehouse, archive, repositories, startDigests, clock, systemClock, logger } = this.#parts;
    const { store, database, state } = warehouse;
    const trends = store && (await keepTrendsCurrent(store, database, clock, logger));
    return [
      trends,
      forgetOldChanges(settings, state, logger, systemClock),
      forgetOldQuestions(settings.explorerKeepDays, state, logger, systemClock),
      archive.follow(),
      repositories?.start(),
      await startDigests?.(),
    ];
  }
}

/** Deletes changes older than `AUDIT_KEEP_DAYS` from the log of changes, now and every hour. Undefined if all changes are kept. */
function forgetOldChanges(
  { auditKeepDays }: Pick<Settings, 'auditKeepDays'>,
  state: StateStore | undefined,
  logger: Logger,
  clock = () => new Date(),
): RepeatedWork | undefined {
  const rows = { name: 'changes', keepDays: auditKeepDays, deleteBefore: deleteOldAuditEntries };
  return forgetOld(rows, state, logger, clock);
}

/** The time between two computations of the trends. The archives are hourly, so the trends do not change more often. */
const EVERY_MS = 3_600_000;
/** Trends of the current data that an import has computed within this time are not computed again. */
const RECENT_MS = EVERY_MS / 2;
/** The maximum time that the start of the service waits for the trends. On a large database their computation takes longer. */
const FIRST_MS = 5_000;

/**
 * Computes the trends every hour, unless an import has just computed them. At the start, computes them immediately and waits for the
 * result. If an earlier process computed them from the same tables less than an hour ago, the next computation is one hour after that.
 */
async function keepTrendsCurrent(
  store: Store,
  database: Database,
  clock: () => Date,
  logger: Logger,
): Promise<RepeatedWork> {
  const readAge = async () => (await ageOfRefresh(database, clock()).catch(() => undefined)) ?? EVERY_MS;
  const ageMs = await readAge();
  const refresh = async () => {
    if ((await readAge()) >= RECENT_MS) await refreshAsOf(store, clock());
  };
  const firstMs = ageMs < EVERY_MS ? EVERY_MS - ageMs : EVERY_MS;
  const trends = repeat('refreshing trends', EVERY_MS, refresh, logger, firstMs);
  if (ageMs >= EVERY_MS && (await isLate(trends.now(), FIRST_MS))) {
    logger.info('the refresh of trends continues in the background; until it ends, answers with trends are stale');
  }
  return trends;
}

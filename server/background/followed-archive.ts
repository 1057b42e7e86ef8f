import type { Logger } from 'pino';
import type { Database, DataVersions } from '../../engine/index.js';
import { coverageOf, type FollowProgress, progressLater } from '../../warehouse/import/follow/follow-progress.js';
import { type FollowedHours, readFollowed } from '../../warehouse/import/follow/followed-hours.js';
import type { ArchiveFollower } from './follow-archive.js';
import { type RepeatedWork, repeat } from './repeat.js';

export interface FollowedArchiveParts {
  /** The follower that this process can start; undefined if the service does not follow. */
  readonly follower: ArchiveFollower | undefined;
  readonly database: Database;
  readonly versions: DataVersions;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/**
 * The state of the followed archive in this process. It comes from the follower of this process, from the worker that follows, or, while
 * another service follows, from the database. The imported hours are read in the background, and only after they changed.
 */
export class FollowedArchive {
  readonly #parts: FollowedArchiveParts;
  #isFollowing = false;
  /** The last progress that the following worker reported, and when. */
  #reported: { readonly progress: FollowProgress; readonly at: Date } | undefined;
  #hours: FollowedHours | undefined;
  /** The versions of the tables when they were last read. */
  #readAt: string | undefined;
  #reads: RepeatedWork | undefined;

  constructor(parts: FollowedArchiveParts) {
    this.#parts = parts;
  }

  /** The follower, if this process follows. */
  get follower(): ArchiveFollower | undefined {
    return this.#isFollowing ? this.#parts.follower : undefined;
  }

  /** Returns the cached progress, without a query. Undefined if the archive was never followed into the database, or was not read yet. */
  progress(): FollowProgress | undefined {
    if (this.follower !== undefined) return this.follower.progress();
    const now = this.#parts.clock();
    if (this.#reported !== undefined) return progressLater(this.#reported.progress, this.#reported.at, now);
    if (this.#hours === undefined) return undefined;
    const { from, imported } = this.#hours;
    return { ...EXTERNAL, ...coverageOf(from, imported, now) };
  }

  /** Stores the progress that the following worker reported; undefined if no worker follows. */
  useReported(progress: FollowProgress | undefined): void {
    this.#reported = progress && { progress, at: this.#parts.clock() };
  }

  /** Starts reading the imported hours in the background, if this process does not follow. */
  watch(): void {
    this.#reads = repeat('reading the imported hours', READ_MS, () => this.#read(), this.#parts.logger, 0);
  }

  /** Throws `FollowStartError` if the service follows and no archive can be followed. */
  async prepare(): Promise<void> {
    await this.#parts.follower?.prepare();
  }

  /** If the service follows the archive, makes this process the one that does it. */
  follow(): ArchiveFollower | undefined {
    this.#isFollowing = true;
    this.follower?.start();
    return this.follower;
  }

  /** Stops the reads in the background. Resolves when the current read has ended. The follower is stopped separately. */
  async stop(): Promise<void> {
    await this.#reads?.stop();
  }

  async #read(): Promise<void> {
    if (this.follower !== undefined) return;
    const { database, versions } = this.#parts;
    const { tables } = await versions.confirm(AbortSignal.timeout(READ_MS));
    const current = TABLES.map((name) => tables.get(name));
    const isVersioned = current.every((version) => version !== undefined);
    const readAt = isVersioned ? current.join(' ') : undefined;
    if (readAt !== undefined && readAt === this.#readAt) return;
    this.#hours = await readFollowed(database);
    this.#readAt = readAt;
  }
}

/** The tables that `readFollowed` reads. */
const TABLES = ['import_files', 'sys_archive_follow'];
const READ_MS = 60_000;
const EXTERNAL = { state: 'external', importedHours: 0, lastError: null, nextAttemptAt: null } as const;

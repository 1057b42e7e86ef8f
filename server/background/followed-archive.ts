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
 * The followed archive, as this process knows it: from its own follower or from that of another worker, and from the database while
 * another service follows. The imported hours are read in the background, and only after they changed.
 */
export class FollowedArchive {
  readonly #parts: FollowedArchiveParts;
  #isFollowing = false;
  /** What another worker reported, and when. */
  #reported: { readonly progress: FollowProgress; readonly at: Date } | undefined;
  #hours: FollowedHours | undefined;
  /** The versions of the tables at the last read. */
  #readAt: string | undefined;
  #reads: RepeatedWork | undefined;

  constructor(parts: FollowedArchiveParts) {
    this.#parts = parts;
  }

  /** The follower, if this process follows. */
  get follower(): ArchiveFollower | undefined {
    return this.#isFollowing ? this.#parts.follower : undefined;
  }

  /** Undefined if the archive was never followed into the database, or was not read yet. Reads nothing. */
  progress(): FollowProgress | undefined {
    if (this.follower !== undefined) return this.follower.progress();
    const now = this.#parts.clock();
    if (this.#reported !== undefined) return progressLater(this.#reported.progress, this.#reported.at, now);
    if (this.#hours === undefined) return undefined;
    const { from, imported } = this.#hours;
    return { ...EXTERNAL, ...coverageOf(from, imported, now) };
  }

  /** Takes the progress of the worker that follows; undefined if none does. */
  useReported(progress: FollowProgress | undefined): void {
    this.#reported = progress && { progress, at: this.#parts.clock() };
  }

  /** Begins to read the imported hours, if this process does not follow. */
  watch(): void {
    this.#reads = repeat('reading the imported hours', READ_MS, () => this.#read(), this.#parts.logger, 0);
  }

  /** Throws `FollowStartError` if the service follows and nothing can be followed. */
  async prepare(): Promise<void> {
    await this.#parts.follower?.prepare();
  }

  /** Makes this process the one that follows, if the service follows. */
  follow(): ArchiveFollower | undefined {
    this.#isFollowing = true;
    this.follower?.start();
    return this.follower;
  }

  /** Prevents further reads. Resolves when the current one has ended. The follower is stopped separately. */
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

import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlTime } from '../../engine/index.js';
import type { Store } from '../store/store.js';
import { type ArchiveHour, HOUR_MS, hourOfFile } from './files/archive-hours.js';
import { CHUNK_BYTES, type Chunk } from './files/chunks.js';
import { type LoadedFile, type LoadOptions, loadStaged } from './load.js';
import { type BrokenLine, type SourceChunk, STAGED_EVENTS, type StagingTable } from './staging/staging-table.js';
import type { FileOutcome } from './summary.js';

/** A file that is part of a batch. */
export interface BatchFile {
  /** The number of the file in the import. */
  readonly file: number;
  readonly name: string;
  readonly source: string;
  readonly bytes: number;
}

export interface BatchLimits extends LoadOptions {
  /** The maximum share of broken lines in a file, from 0 to 1. */
  readonly brokenShare: number;
  /** Whether a file without events, or with events of another hour than its name, is rejected. */
  readonly archiveHours: boolean;
}

interface ReadFile extends BatchFile {
  readonly digest: string;
}

/** Files that are loaded in one transaction. If an error occurs, no file of the batch is stored. */
export class Batch {
  readonly #store: Store;
  readonly #staging: StagingTable;
  readonly #limits: BatchLimits;
  readonly #files: ReadFile[] = [];
  readonly #broken = new Map<number, BrokenLine[]>();
  readonly #rows = new Map<number, number>();
  #waiting: SourceChunk[] = [];

  constructor(store: Store, staging: StagingTable, limits: BatchLimits) {
    this.#store = store;
    this.#staging = staging;
    this.#limits = limits;
  }

  /** The number of events staged so far. */
  get events(): number {
    return [...this.#rows.values()].reduce((sum, rows) => sum + rows, 0);
  }

  async add(file: BatchFile, chunk: Chunk): Promise<void> {
    this.#waiting.push({ ...chunk, file: file.file });
    if (this.#waitingBytes() >= STAGE_BYTES) await this.#stage();
  }

  /** Whether the batch has at least this many events. Estimates the number of events that are not staged yet. */
  async hasEvents(events: number): Promise<boolean> {
    if (this.events + this.#waitingBytes() / MIN_EVENT_BYTES < events) return false;
    await this.#stage();
    return this.events >= events;
  }

  /** Adds a file that was read to its end to the batch. `digest` is the digest for the ledger. */
  finish(file: BatchFile, digest: string): void {
    this.#files.push({ ...file, digest });
  }

  /** Removes a file and all its lines from the batch. */
  async drop(file: BatchFile): Promise<void> {
    const dropped = this.#waiting.filter((chunk) => chunk.file === file.file);
    this.#waiting = this.#waiting.filter((chunk) => chunk.file !== file.file);
    for (const chunk of dropped) await rm(chunk.path, { force: true });
    if (this.#rows.delete(file.file)) await this.#staging.drop(file.file);
    this.#broken.delete(file.file);
  }

  /** Loads the files that were read to their end. Returns the outcome of each file, including files that `#reasonToReject` rejects. */
  async load(): Promise<FileOutcome[]> {
    await this.#stage();
    const rejections = new Map<number, string>();
    for (const file of this.#files) {
      const reason = await this.#reasonToReject(file);
      if (reason === undefined) continue;
      rejections.set(file.file, reason);
      await this.#staging.drop(file.file);
    }
    const accepted = this.#files.filter(({ file }) => !rejections.has(file));
    const staged = accepted.map((file) => ({ ...file, broken: this.#brokenOf(file).length }));
    const loaded =
      staged.length === 0 ? [] : await this.#store.write((tables) => loadStaged(tables, staged, this.#limits));
    await this.#staging.clear();
    return this.#outcomes(new Map(accepted.map((file, index) => [file.file, loaded[index]])), rejections);
  }

  #outcomes(
    ledger: ReadonlyMap<number, LoadedFile | undefined>,
    rejections: ReadonlyMap<number, string>,
  ): FileOutcome[] {
    return this.#files.map((file) => {
      const broken = this.#brokenOf(file);
      const entry = ledger.get(file.file);
      const lines = broken.slice(0, MAX_LISTED_LINES).map(({ line, reason }) => ({ line, reason }));
      const facts = {
        file: file.file,
        name: file.name,
        source: file.source,
        broken: broken.length,
        brokenLines: lines,
      };
      const message = rejections.get(file.file) ?? '';
      if (entry === undefined) return { ...facts, ...NO_EVENTS, state: 'refused', message };
      const { events, alreadyThere, byType, note } = entry;
      return {
        ...facts,
        state: 'imported',
        events,
        alreadyThere,
        byType,
        ...(note !== undefined && { message: note }),
      };
    });
  }

  #waitingBytes(): number {
    return this.#waiting.reduce((sum, chunk) => sum + chunk.bytes, 0);
  }

  async #stage(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const chunks = this.#waiting;
    this.#waiting = [];
    const { rows, broken } = await this.#staging.add(chunks);
    for (const [file, count] of rows) this.#rows.set(file, (this.#rows.get(file) ?? 0) + count);
    for (const line of broken) this.#addBroken(line);
  }

  /** Appends to the existing list, because a file without events can have millions of broken lines. */
  #addBroken(line: BrokenLine): void {
    const lines = this.#broken.get(line.file);
    if (lines === undefined) this.#broken.set(line.file, [line]);
    else lines.push(line);
  }

  async #reasonToReject({ file, name }: ReadFile): Promise<string | undefined> {
    const { archiveHours, brokenShare } = this.#limits;
    const rows = this.#rows.get(file) ?? 0;
    if (archiveHours && rows === 0) return 'The file has no event, so it was not imported.';
    const broken = this.#broken.get(file)?.length ?? 0;
    const lines = broken + rows;
    if (broken > brokenShare * lines) {
      const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`;
      return (
        `${broken} of ${lines} lines are broken (${percent(broken / lines)}, allowed are ` +
        `${percent(brokenShare)}), so the file was not imported.`
      );
    }
    const hour = archiveHours ? hourOfFile(name) : undefined;
    return hour === undefined ? undefined : this.#store.useStaging((staging) => describeOtherHour(staging, file, hour));
  }

  #brokenOf(file: BatchFile): readonly BrokenLine[] {
    return this.#broken.get(file.file) ?? [];
  }
}

const NO_EVENTS = { events: 0, alreadyThere: 0, byType: {} };

/** The number of bytes that are staged in one step: eight chunks, which keep all threads busy. */
const STAGE_BYTES = 8 * CHUNK_BYTES;
/** An estimate of the minimum size of an event. Few events are smaller. */
const MIN_EVENT_BYTES = 250;
const MAX_LISTED_LINES = 5;

/**
 * Describes why the staged events of a file cannot be the hour in its name; undefined if they can. Without this check, a file with the
 * wrong content would be stored as this hour, and the real events of the hour would never be imported.
 *
 * The files of 2011 and since 2015 that we checked contain only events of the hour in their name. The file names of 2012 to 2014 are in
 * Pacific time, so their events are 7 to 9 hours later, and the files also contain some events after the end of the hour. GitHub also
 * delivers a few events up to 6 hours late. So events in a file may be up to 24 hours earlier or later, and at least one event must be of
 * the hour itself. A tenth of the events may be outside of this range, so that a few late events do not block an hour.
 */
async function describeOtherHour(
  staging: DuckDBConnection,
  file: number,
  hour: ArchiveHour,
): Promise<string | undefined> {
  const start = hour * HOUR_MS;
  const [first, last] = [timeOf(start - TOLERANCE_MS), timeOf(start + HOUR_MS + TOLERANCE_MS)];
  const ownEnd = timeOf(start + (start < UTC_NAMES_MS ? PACIFIC_MS : HOUR_MS));
  const events = `(SELECT id, type, repo_name, created_at AS time FROM ${STAGED_EVENTS} WHERE file = ${file})`;
  const counts = await staging.runAndReadAll(`
    SELECT
      COUNT(*),
      COUNT(*) FILTER (WHERE time < '${first}' OR time >= '${last}'),
      COUNT(*) FILTER (WHERE time >= '${timeOf(start)}' AND time < '${ownEnd}')
    FROM ${events}`);
  const [[all = 0n, outside = 0n, own = 0n] = []] = counts.getRowsJS() as bigint[][];
  const hasOthers = outside * MAX_OUTSIDE_DIVISOR > all;
  if (!hasOthers && own > 0n) return undefined;
  const farthest = await staging.runAndReadAll(`
    SELECT type || CASE WHEN id = 0 THEN '' ELSE ' ' || id END || ' of ' || repo_name || ' at ' || time
    FROM ${events}
    ORDER BY ABS(epoch(time) - ${start / 1000}) DESC, id, type, repo_name
    LIMIT 1`);
  const rule = hasOthers ? `events from ${first} to ${last} UTC` : `events from ${timeOf(start)} to ${ownEnd} UTC`;
  const found = hasOthers ? `${outside} of ${all} are outside` : `none of ${all} is`;
  return (
    `The file has events of another hour, so it was not imported: expected ${rule}, but ${found}, such as ` +
    `${farthest.getRowsJS()[0]?.[0]}.`
  );
}

/** One of this many events may be outside of the tolerance. */
const MAX_OUTSIDE_DIVISOR = 10n;
const TOLERANCE_MS = 24 * HOUR_MS;
/** From this time on, the times in file names are in UTC. */
const UTC_NAMES_MS = Date.UTC(2015, 0, 1);
/**
 * The time from the hour in a file name in Pacific time to the end of its events: the offset of up to 8 hours, the hour itself, and the
 * time over its end.
 */
const PACIFIC_MS = 10 * HOUR_MS;

function timeOf(ms: number): string {
  return sqlTime(new Date(ms));
}

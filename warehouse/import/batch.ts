import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlTime } from '../../engine/index.js';
import type { Store } from '../store/store.js';
import { type ArchiveHour, HOUR_MS, hourOfFile } from './files/archive-hours.js';
import type { Chunk } from './files/chunks.js';
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

/** Files that are loaded in one transaction. After an error, no file of the batch is stored. */
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

  /** Whether the batch has at least this many events. */
  async hasEvents(events: number): Promise<boolean> {
    if (this.events + this.#waitingBytes() / MIN_EVENT_BYTES < events) return false;
    await this.#stage();
    return this.events >= events;
  }

  /** Accepts a file that was read to its end. The ledger stores the digest of the file. */
  finish(file: BatchFile, digest: string): void {
    this.#files.push({ ...file, digest });
  }

  /** Removes all lines of the file. */
  async drop(file: BatchFile): Promise<void> {
    const dropped = this.#waiting.filter((chunk) => chunk.file === file.file);
    this.#waiting = this.#waiting.filter((chunk) => chunk.file !== file.file);
    for (const chunk of dropped) await rm(chunk.path, { force: true });
    if (this.#rows.delete(file.file)) await this.#staging.drop(file.file);
    this.#broken.delete(file.file);
  }

  /** Loads the files that were read to their end, unless `#reasonToReject` rejects them. Returns the outcome of each, also of rejected ones. */
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

  /** Appends to the list of the file: a file without events can have millions of broken lines. */
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

/** The bytes of text that are staged together. They keep all threads busy. */
const STAGE_BYTES = 24 * 1024 * 1024;
/** The minimum size of an event, to estimate the number of events. Only few events are shorter. */
const MIN_EVENT_BYTES = 250;
const MAX_LISTED_LINES = 5;

/**
 * Describes why the staged events of a file cannot be an hour of the archive; undefined if they can be. Otherwise a file with the
 * content of another time would be stored as this hour, and the events of this hour would never be imported.
 *
 * The real files that we have since 2015, and of 2011, contain only events of the hour in their name. The names of 2012 to 2014 are
 * in Pacific time, so that their events are 7 to 9 hours later, and their files run over the end of the hour. GitHub also delivers
 * single events up to 6 hours late. So 24 hours are allowed in both directions, and at least one event must be of the hour itself. A
 * tenth of the events may be outside, because a few late events must not block their hour.
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

/** At most one of this many events may be outside of the tolerance. */
const MAX_OUTSIDE_DIVISOR = 10n;
const TOLERANCE_MS = 24 * HOUR_MS;
/** From this time on, names of files are in UTC. */
const UTC_NAMES_MS = Date.UTC(2015, 0, 1);
/** The end of the events of a file with a name in Pacific time: up to 8 hours later, and over the end of its hour. */
const PACIFIC_MS = 10 * HOUR_MS;

function timeOf(ms: number): string {
  return sqlTime(new Date(ms));
}

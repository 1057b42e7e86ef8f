import { setTimeout as pause } from 'node:timers/promises';
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { EngineError } from '../../engine/errors.js';
import { overloaded } from '../failures.js';

/**
 * Looks at what the queries of an instance hold, in memory and on disk, as long as there is work to be watched, and has it
 * stopped when that is too much. Pages of tables do not count: they make room for others by themselves. DuckDB does not
 * count the texts in the states of MIN and MAX, so the growth of the process is looked at, too.
 */
export class MemoryWatch {
  readonly #connection: DuckDBConnection;
  readonly #usage: DuckDBPreparedStatement;
  readonly #maxBytes: number;
  readonly #maxGrowth: number;
  #sizeBefore = 0;
  readonly #running = new Set<AbortController>();
  /** Undefined while nobody looks: one at a time is enough. */
  #looking: Promise<void> | undefined;

  /** Takes the connection over. `share` is the part of the instance's memory that may be held. */
  static async open(connection: DuckDBConnection, share: number): Promise<MemoryWatch> {
    const limit = await connection.runAndReadAll("SELECT parse_formatted_bytes(current_setting('memory_limit'))");
    const usage = await connection.prepare(USAGE);
    return new MemoryWatch(connection, usage, Number(limit.getRows()[0]?.[0]), share);
  }

  private constructor(
    connection: DuckDBConnection,
    usage: DuckDBPreparedStatement,
    memoryLimit: number,
    share: number,
  ) {
    this.#connection = connection;
    this.#usage = usage;
    this.#maxBytes = memoryLimit * share;
    // Pages that are read for the first time make the process larger, by as much as the limit allows.
    this.#maxGrowth = memoryLimit + this.#maxBytes;
  }

  /**
   * Runs `work`, whose signal aborts when too much is held. Where it is the one that held that much it fails with
   * `query_failed`. Which of several it was nobody knows: they fail with `overloaded`, as does one that began, or was
   * stopped, while others than those watched hold that much.
   */
  async during<T>(work: (tooMuch: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#running.size === 0 && (await this.#held()) > this.#maxBytes) {
      throw othersHold();
    }
    const stopping = new AbortController();
    this.#running.add(stopping);
    if (this.#running.size === 1) this.#sizeBefore = process.memoryUsage.rss();
    this.#looking ??= this.#look();
    try {
      return await work(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted && !isOutOfMemory(error)) throw error;
      const { aborted, reason } = stopping.signal;
      if (aborted ? reason === TOGETHER : this.#running.size > 1) throw this.#stoppedTogether();
      // Its own share is given back by now.
      throw (await this.#held()) > this.#maxBytes ? othersHold() : this.#refusal();
    } finally {
      this.#running.delete(stopping);
    }
  }

  /** When nothing is watched any more. */
  async close(): Promise<void> {
    await this.#looking;
    this.#usage.destroySync();
    this.#connection.closeSync();
  }

  async #look(): Promise<void> {
    while (this.#running.size > 0) {
      const isTooMuch = (await this.#held()) > this.#maxBytes;
      const hasGrown = process.memoryUsage.rss() - this.#sizeBefore > this.#maxGrowth;
      if (isTooMuch || hasGrown) this.#stopAll();
      await pause(LOOK_EVERY_MS);
    }
    this.#looking = undefined;
  }

  /** Who was alone when it was stopped is so told, though others may be stopped after it. */
  #stopAll(): void {
    const reason = this.#running.size > 1 ? TOGETHER : ALONE;
    for (const stopping of this.#running) stopping.abort(reason);
  }

  async #held(): Promise<number> {
    try {
      const [row] = (await this.#usage.runAndReadAll()).getRows();
      return Number(row?.[0]);
    } catch {
      // That there is no memory left even to look is an answer, too.
      return Number.POSITIVE_INFINITY;
    }
  }

  #refusal(): EngineError {
    return new EngineError(
      'query_failed',
      `The query was stopped: its intermediate results need more than ${this.#most()}. Join, group or sort less.`,
    );
  }

  #stoppedTogether(): EngineError {
    return overloaded(
      `The query was stopped with others that ran beside it: together they needed more than ${this.#most()}. Ask again.`,
    );
  }

  #most(): string {
    return `${Math.round(this.#maxBytes / 1024 / 1024)} MB`;
  }
}

/** Why a query was stopped. */
const TOGETHER = 'together';
const ALONE = 'alone';

/** DuckDB's own, of a query that asked for all at once. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Out of Memory Error');
}

function othersHold(): EngineError {
  return overloaded('The database needs its memory for other work at the moment.');
}

const LOOK_EVERY_MS = 20;

const USAGE = `SELECT CAST(sum(memory_usage_bytes + temporary_storage_bytes) AS DOUBLE) FROM duckdb_memory()
  WHERE tag NOT IN ('BASE_TABLE', 'IN_MEMORY_TABLE', 'METADATA', 'ART_INDEX', 'TRANSACTION', 'OBJECT_CACHE', 'EXTERNAL_FILE_CACHE')`;

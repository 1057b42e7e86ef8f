import type { LiveState, StoredFiles } from '../../engine/index.js';
import type { ReloadOptions } from './live-parts.js';

/** One load of definitions, with the decisions about canaries that were made in it. */
export interface HistoricLoad extends ReloadOptions {
  readonly files: StoredFiles;
  /** When the load was first served. Answers of outdated versions contain this time. */
  readonly at: Date;
}

/** The loads that another process must repeat to serve the same definitions. Can be sent as a message. */
export interface SentHistory {
  /** The distinct contents of files, in base64. Most files are the same in all loads. */
  readonly contents: readonly string[];
  readonly loads: readonly SentLoad[];
}

interface SentLoad extends ReloadOptions {
  readonly at: string;
  readonly files: StoredFiles['files'];
  /** Pairs of a path and an index in `contents`. */
  readonly paths: readonly (readonly [path: string, content: number])[];
}

/** The maximum length of a history. A longer one is discarded: sending it needs memory for all files, and replaying it many reloads. */
const MAX_LOADS = 100;

/**
 * The loads that determine which definitions are served. Usually this is only the last load. Earlier loads are also needed while there are
 * canaries, discarded versions, or files with problems whose last good version is served.
 */
export class DefinitionHistory {
  /** Undefined if there are more than `MAX_LOADS`. */
  #loads: readonly HistoricLoad[] | undefined = [];
  /** The files of the last load. */
  #files: StoredFiles | undefined;

  /** Adds a load that is now served. Returns whether the history has changed. */
  add(load: HistoricLoad, { canaries, outdated, paused }: LiveState, hasDiscarded: boolean): boolean {
    const { canaryPercent, promoted = [], discarded = [] } = load;
    const isDecision = canaryPercent !== undefined || promoted.length + discarded.length > 0;
    if (this.#files !== undefined && !isDecision && areEqual(this.#files, load.files)) return false;
    this.#files = load.files;
    const dependsOnEarlier = canaries.length + outdated.length + paused.size > 0 || hasDiscarded;
    if (!dependsOnEarlier) this.#loads = [{ files: load.files, at: load.at }];
    else if (this.#loads !== undefined)
      this.#loads = this.#loads.length < MAX_LOADS ? [...this.#loads, load] : undefined;
    return true;
  }

  /** Returns the history as a message. Undefined if there are too many loads. */
  toSend(): SentHistory | undefined {
    if (this.#loads === undefined) return undefined;
    const positions = new Map<string, number>();
    const positionOf = (content: string) => {
      const position = positions.get(content) ?? positions.size;
      positions.set(content, position);
      return position;
    };
    const loads = this.#loads.map(({ files: { files, contents }, at, ...options }) => ({
      ...options,
      at: at.toISOString(),
      files,
      paths: [...contents].map(([path, bytes]) => [path, positionOf(Buffer.from(bytes).toString('base64'))] as const),
    }));
    return { loads, contents: [...positions.keys()] };
  }
}

/** Converts the message of another process back into loads. */
export function receiveHistory({ loads, contents }: SentHistory): HistoricLoad[] {
  const bytes = contents.map((content) => Buffer.from(content, 'base64'));
  return loads.map(({ at, files, paths, ...options }) => {
    const stored = new Map(paths.map(([path, position]) => [path, bytes[position] ?? NO_BYTES]));
    return { ...options, at: new Date(at), files: { files, contents: stored } };
  });
}

const NO_BYTES = new Uint8Array();

function areEqual(one: StoredFiles, other: StoredFiles): boolean {
  if (one.files.length !== other.files.length || one.contents.size !== other.contents.size) return false;
  if (one.files.some(({ path }, index) => path !== other.files[index]?.path)) return false;
  return [...one.contents].every(([path, bytes]) => {
    const others = other.contents.get(path);
    return others !== undefined && Buffer.compare(bytes, others) === 0;
  });
}

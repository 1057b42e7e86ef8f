import type { DataVersion } from '../../../databases/interface/data-versions.js';
import type { RawParameters } from '../../../definitions/parameters/parameter-values.js';
import type { StoredAnswer } from '../stored-answer.js';

/** An answer in memory. A newer answer to the same request replaces `answer`. */
export interface Entry {
  readonly key: string;
  /** The parameters of the request, which a recomputation in the background needs. */
  readonly raw: RawParameters;
  answer: StoredAnswer;
  /** The size in memory, in bytes. */
  bytes: number;
  /** How often the answer was used. Each commit that changes one of its tables halves the number. */
  uses: number;
  /** The request targets to which this entry is the answer. */
  readonly targets: Set<string>;
  /** The table versions for which `isCurrent` was calculated. */
  checked: ReadonlyMap<string, DataVersion> | undefined;
  /** Whether the versions of the answer equal those in `checked`. */
  isCurrent: boolean;
  /** Whether compression of the body was started. */
  isCompressed: boolean;
}

export function createEntry(key: string, answer: StoredAnswer, raw: RawParameters): Entry {
  return {
    key,
    raw,
    answer,
    bytes: sizeOf(key, answer),
    uses: 0,
    targets: new Set(),
    checked: undefined,
    isCurrent: false,
    isCompressed: false,
  };
}

/** Replaces the answer of an entry. */
export function replaceAnswer(entry: Entry, answer: StoredAnswer): void {
  entry.answer = answer;
  entry.bytes = sizeOf(entry.key, answer);
  entry.checked = undefined;
  entry.isCompressed = answer.gzip !== undefined && answer.brotli !== undefined;
}

function sizeOf(key: string, { bodyBytes, gzip, brotli, parameters, versions }: StoredAnswer): number {
  const bytes = bodyBytes + (gzip?.length ?? 0) + (brotli?.length ?? 0);
  // The parameters are in memory twice: as values, and as text in `raw`.
  const parameterBytes = 4 * JSON.stringify(parameters).length;
  return bytes + 2 * key.length + parameterBytes + versions.size * VERSION_BYTES + OVERHEAD_BYTES;
}

/** Estimated sizes of the objects of an entry. */
const OVERHEAD_BYTES = 1_500;
const VERSION_BYTES = 100;

import type { BusyKey } from '../../app-routes/console/operator-status.js';
import type { EndedRequest } from '../../engine/http/request-record.js';
import { KEY } from '../identity/authentication.js';
import { OperationTable } from './counts.js';
import type { Family } from './family.js';

/** The number of requests by their result. */
class KeyCounts {
  answered = 0;
  limited = 0;
  failed = 0;
}

/** The key for requests that are not counted separately, because there are too many pairs of a key and an operation. */
const OTHER = 'other';
const MAX_PAIRS = 1_000;
const RESULTS = ['answered', 'limited', 'failed'] as const;

/** Counts requests with a valid API key, by the id of the key and by operation. */
export class KeyMetrics {
  /** The counts of each operation, by the id of the key. */
  readonly #operations = new OperationTable<Map<string, KeyCounts>>(
    () => new Map(),
    (operation) => operation === OTHER || this.#isKnown(operation),
  );
  #isKnown: (operation: string) => boolean = () => true;
  #pairs = 0;

  count({ caller, operation = OTHER, status }: Pick<EndedRequest, 'caller' | 'operation' | 'status'>): void {
    if (caller === undefined || !caller.startsWith(KEY)) return;
    const ofKeys = this.#operations.get(operation);
    const id = caller.slice(KEY.length);
    const counts = ofKeys.get(id) ?? this.#add(ofKeys, id);
    counts[resultOf(status)] += 1;
  }

  /** Returns the family. From now on, the counts of operations that are not known are dropped. */
  families(isKnown: (operation: string) => boolean): Family[] {
    this.#isKnown = isKnown;
    return [
      {
        ...{ name: 'repo_insight_key_requests_total', type: 'counter', labels: ['key', 'operation', 'result'] },
        help: 'Requests with a valid API key by the id of the key, definition or operation, and result: `answered`, `limited` (status 429), or `failed` (any other status from 400).',
        samples: () =>
          this.#entries().flatMap(([operation, ofKeys]) =>
            [...ofKeys].flatMap(([key, counts]) =>
              RESULTS.filter((result) => counts[result] > 0).map(
                (result) => [{ key, operation, result }, counts[result]] as const,
              ),
            ),
          ),
      },
    ];
  }

  /** Returns the keys with the sums of their requests, the most requests first. */
  busiest(): Omit<BusyKey, 'name'>[] {
    const sums = new Map<string, { id: string; requests: number; limited: number; failed: number }>();
    for (const [, ofKeys] of this.#entries()) {
      for (const [id, { answered, limited, failed }] of ofKeys) {
        const sum = sums.get(id) ?? { id, requests: 0, limited: 0, failed: 0 };
        sum.requests += answered + limited + failed;
        sum.limited += limited;
        sum.failed += failed;
        sums.set(id, sum);
      }
    }
    return [...sums.values()].sort((one, other) => other.requests - one.requests);
  }

  #add(ofKeys: Map<string, KeyCounts>, id: string): KeyCounts {
    const name = this.#pairs < MAX_PAIRS ? id : OTHER;
    const known = ofKeys.get(name);
    if (known !== undefined) return known;
    if (name !== OTHER) this.#pairs += 1;
    const counts = new KeyCounts();
    ofKeys.set(name, counts);
    return counts;
  }

  /** Returns the counts of the operations that still exist. */
  #entries(): (readonly [string, ReadonlyMap<string, KeyCounts>])[] {
    const entries = this.#operations.entries();
    this.#pairs = entries.reduce((sum, [, ofKeys]) => sum + ofKeys.size - Number(ofKeys.has(OTHER)), 0);
    return entries;
  }
}

function resultOf(status: number): keyof KeyCounts {
  if (status === 429) return 'limited';
  return status < 400 ? 'answered' : 'failed';
}

import type { Logger } from 'pino';
import {
  type Answer,
  type Canary,
  type Engine,
  findResultDifference,
  type RawParameters,
  type RowDifference,
} from '../../engine/index.js';

/** What a candidate did since it began to answer. Stored answers are not counted: they were compared when they were computed. */
export interface CanaryCounts {
  /** Answers that the candidate computed. */
  answered: number;
  /** Of these: the rows are the same as those of the stable version, they differ, or they were not compared. */
  equal: number;
  different: number;
  undecided: number;
  /** Requests for which the candidate failed, or whose parameters only the candidate rejects. The stable version answered them. */
  failed: number;
  /** The first difference. */
  example: (RowDifference & { readonly parameters: Answer['parameters'] }) | undefined;
}

/** The maximum number of answers that wait for a comparison. Further answers are not compared. */
const MAX_WAITING = 20;

/** Compares the answers of candidates with those of the stable versions. Callers do not wait for a comparison. */
export class Canaries {
  readonly #logger: Logger;
  readonly #counts = new WeakMap<Canary['candidate'], CanaryCounts>();
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  countsOf({ candidate }: Canary): CanaryCounts {
    const known = this.#counts.get(candidate);
    if (known !== undefined) return known;
    const counts = { answered: 0, equal: 0, different: 0, undecided: 0, failed: 0, example: undefined };
    this.#counts.set(candidate, counts);
    return counts;
  }

  /** Counts the answers of the candidates of an engine from now on, and compares them. */
  watch(engine: Engine): void {
    engine.onAnswer(({ answer, raw, canary }) => {
      if (canary === undefined) return;
      this.countsOf(canary).answered += 1;
      this.#offer(engine, canary, raw, answer);
    });
  }

  /** Counts a request whose parameters only the candidate rejects. */
  countRejected(canary: Canary): void {
    this.countsOf(canary).failed += 1;
  }

  /** Counts a request that the stable version answered because the query of the candidate failed. */
  countFailed(canary: Canary, cause: unknown): void {
    this.countsOf(canary).failed += 1;
    this.#logger.warn({ err: cause, endpoint: canary.stable.definition.name }, 'a canary failed');
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#last;
  }

  #offer(engine: Engine, canary: Canary, raw: RawParameters, answer: Answer): void {
    if (this.#waiting >= MAX_WAITING) {
      this.countsOf(canary).undecided += 1;
      return;
    }
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => this.#compare(engine, canary, raw, answer))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  async #compare(engine: Engine, canary: Canary, raw: RawParameters, answer: Answer): Promise<void> {
    const counts = this.countsOf(canary);
    const { signal } = this.#stop;
    const run = (endpoint: Canary['stable']) =>
      engine.run(endpoint, raw, { purpose: 'comparison', signal }).catch(() => undefined);
    const verdict = await compareAnswers(
      answer,
      () => run(canary.stable),
      () => run(canary.candidate),
    );
    if (typeof verdict === 'string') counts[verdict] += 1;
    else {
      counts.different += 1;
      counts.example ??= { ...verdict, parameters: answer.parameters };
    }
  }
}

type ComparedAnswer = Pick<Answer, 'endpoint' | 'rows' | 'truncated' | 'versions'>;
/** Computes an answer; undefined if this fails. */
type Compute = () => Promise<ComparedAnswer | undefined>;

/**
 * Compares an answer of the candidate with the stable version. If other data can be the reason of a difference, because the data changed
 * or a table has no version, the candidate answers again between two answers of the stable version. If these two are equal, the data
 * were the same.
 */
export async function compareAnswers(
  answer: ComparedAnswer,
  stable: Compute,
  candidate: Compute,
): Promise<RowDifference | 'equal' | 'undecided'> {
  const first = await stable();
  if (first === undefined) return 'undecided';
  const difference = differenceOf(first, answer);
  if (difference === undefined) return 'equal';
  if (haveSameData(first, answer)) return difference;
  const again = await candidate();
  const second = await stable();
  if (again === undefined || second === undefined || differenceOf(first, second) !== undefined) return 'undecided';
  return differenceOf(second, again) ?? 'equal';
}

/** Compares the rows with those of the stable version, which is `one` in the difference. */
function differenceOf(stable: ComparedAnswer, answer: ComparedAnswer): RowDifference | undefined {
  return findResultDifference({ ...stable, more: stable.truncated }, { ...answer, more: answer.truncated });
}

function haveSameData({ versions: one }: ComparedAnswer, { versions: other }: ComparedAnswer): boolean {
  if (one === undefined || other === undefined) return false;
  return [...one].every(([table, version]) => !other.has(table) || other.get(table) === version);
}

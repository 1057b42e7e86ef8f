import type { Logger } from 'pino';
import {
  type Answer,
  type Canary,
  type Engine,
  findResultDifference,
  type RawParameters,
  type RowDifference,
} from '../../engine/index.js';

/**
 * The results of a candidate since it began to answer. Answers from the cache are not counted, because they were compared when they were
 * computed.
 */
export interface CanaryCounts {
  /** Answers that the candidate computed. */
  answered: number;
  /** Of these answers: the rows are the same as those of the stable version, they differ, or they were not compared. */
  equal: number;
  different: number;
  undecided: number;
  /** Requests that the stable version answered, because the candidate failed or rejected their parameters. */
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

  /** From now on, counts the answers of the candidates of an engine and compares them. */
  watch(engine: Engine): void {
    engine.onAnswer(({ answer, raw, canary }) => {
      if (canary === undefined) return;
      this.countsOf(canary).answered += 1;
      this.#offer(engine, canary, raw, answer);
    });
  }

  /** Counts a request whose parameters the candidate rejects and the stable version accepts. */
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
/** Computes an answer. Resolves to undefined on failure. */
type Compute = () => Promise<ComparedAnswer | undefined>;

/**
 * Compares an answer of the candidate with the stable version. A difference can be caused by other data, if the data changed or a table has
 * no version. In this case, the candidate and the stable version answer again, several times. The difference counts only if the data were
 * the same: if two answers of the stable version are equal, or have the same versions as the answer of the candidate between them.
 */
export async function compareAnswers(
  answer: ComparedAnswer,
  stable: Compute,
  candidate: Compute,
): Promise<RowDifference | 'equal' | 'undecided'> {
  let before = await stable();
  if (before === undefined) return 'undecided';
  const difference = differenceOf(before, answer);
  if (difference === undefined) return 'equal';
  if (haveSameData(before, answer)) return difference;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const between = await candidate();
    const after = between && (await stable());
    if (between === undefined || after === undefined) return 'undecided';
    const isSame = haveSameData(after, between) || differenceOf(before, after) === undefined;
    if (isSame) return differenceOf(after, between) ?? 'equal';
    before = after;
  }
  return 'undecided';
}

/** If the data change during each of these attempts, the comparison ends, so that it does not load the database. */
const MAX_ATTEMPTS = 3;

/** Compares the rows of the stable version with those of the candidate. In the difference, `one` is the stable version. */
function differenceOf(stable: ComparedAnswer, answer: ComparedAnswer): RowDifference | undefined {
  return findResultDifference({ ...stable, more: stable.truncated }, { ...answer, more: answer.truncated });
}

function haveSameData({ versions: one }: ComparedAnswer, { versions: other }: ComparedAnswer): boolean {
  if (one === undefined || other === undefined) return false;
  return [...one].every(([table, version]) => !other.has(table) || other.get(table) === version);
}

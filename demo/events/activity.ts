import { attention, type DayClock } from '../world/growth.js';
import { at, WeightedChoice } from '../world/random.js';
import { SPARKS, type Spark } from './triggers.js';
import type { Stage } from './simulation.js';

/** What happens on one day: which repositories are busy, and at what times. */
export class DayActivity {
  readonly #stage: Stage;
  readonly #startSeconds: number;
  readonly #clock: DayClock;
  readonly #repositories: Readonly<Record<Spark['drawnBy'], WeightedChoice>>;

  constructor(stage: Stage, day: number, startSeconds: number, clock: DayClock) {
    this.#stage = stage;
    this.#startSeconds = startSeconds;
    this.#clock = clock;
    const fame = stage.repositories.map(({ firstDay, lastDay, popularity, curve }) =>
      day < firstDay || day > lastDay ? 0 : popularity * attention(curve, day, stage.days),
    );
    this.#repositories = {
      fame: new WeightedChoice(fame),
      work: new WeightedChoice(fame.map((weight) => weight ** 0.7)),
    };
  }

  /** Adds one thing that happens, and what follows from it, to the schedule; whichever, when none is given. */
  happen(spark?: Spark): void {
    const { random, repositories } = this.#stage;
    const { drawnBy, begin } = spark ?? at(SPARKS, SPARK_CHOICE.draw(random));
    const repository = at(repositories, this.#repositories[drawnBy].draw(random));
    begin(repository, this.#startSeconds + this.#clock.draw(random), this.#stage);
  }
}

const SPARK_CHOICE = new WeightedChoice(SPARKS.map((spark) => spark.share));

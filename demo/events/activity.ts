import { computeAttention, type DayClock } from '../world/growth.js';
import { at, WeightedChoice } from '../world/random.js';
import type { Simulation } from './simulation.js';
import { TRIGGERS, type Trigger } from './triggers.js';

/** Selects the repositories and times of the events of one day. */
export class DayActivity {
  readonly #simulation: Simulation;
  readonly #startSeconds: number;
  readonly #clock: DayClock;
  readonly #repositories: Readonly<Record<Trigger['selectedBy'], WeightedChoice>>;

  constructor(simulation: Simulation, day: number, startSeconds: number, clock: DayClock) {
    this.#simulation = simulation;
    this.#startSeconds = startSeconds;
    this.#clock = clock;
    const fame = simulation.repositories.map(({ firstDay, lastDay, popularity, curve }) =>
      day < firstDay || day > lastDay ? 0 : popularity * computeAttention(curve, day, simulation.days),
    );
    this.#repositories = {
      fame: new WeightedChoice(fame),
      work: new WeightedChoice(fame.map((weight) => weight ** 0.7)),
    };
  }

  /** Schedules one trigger and the events that it causes. If no trigger is given, selects one by its share. */
  addTrigger(trigger?: Trigger): void {
    const { random, repositories } = this.#simulation;
    const { selectedBy, begin } = trigger ?? at(TRIGGERS, TRIGGER_CHOICE.draw(random));
    const repository = at(repositories, this.#repositories[selectedBy].draw(random));
    begin(repository, this.#startSeconds + this.#clock.draw(random), this.#simulation);
  }
}

const TRIGGER_CHOICE = new WeightedChoice(TRIGGERS.map(({ share }) => share));

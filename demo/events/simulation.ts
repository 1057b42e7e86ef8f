import type { Population } from '../world/population.js';
import type { Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import type { Schedule } from './schedule.js';

/** The inputs for the creation of events, and the schedule of these events. */
export interface Simulation {
  readonly repositories: readonly Repository[];
  readonly population: Population;
  readonly days: number;
  readonly random: Random;
  readonly schedule: Schedule;
}

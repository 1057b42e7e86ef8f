import type { Population } from '../world/population.js';
import type { Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import type { Schedule } from './schedule.js';

/** The inputs from which events are created, and their schedule. */
export interface Simulation {
  readonly repositories: readonly Repository[];
  readonly population: Population;
  readonly days: number;
  readonly random: Random;
  readonly schedule: Schedule;
}

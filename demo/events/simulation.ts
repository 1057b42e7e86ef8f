import type { Population } from '../world/population.js';
import type { Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import type { Schedule } from './schedule.js';

/** What activity is made from, and the schedule that it goes to. */
export interface Stage {
  readonly repositories: readonly Repository[];
  readonly population: Population;
  readonly days: number;
  readonly random: Random;
  readonly schedule: Schedule;
}

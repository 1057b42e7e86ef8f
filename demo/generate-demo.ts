import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createPlan, type DemoOptions, type DemoPlan } from './demo-plan.js';
import { DayActivity } from './events/activity.js';
import type { DemoEvent } from './events/demo-event.js';
import { EventWriter } from './events/event-writer.js';
import { Schedule } from './events/schedule.js';
import type { Simulation } from './events/simulation.js';
import { ISSUE, PULL_REQUEST, STAR, scheduleBirths } from './events/triggers.js';
import { GzipLines } from './gzip-lines.js';
import { writePeople, writeRepositories } from './profiles.js';
import { createCollections, type DemoCollection } from './world/collections.js';
import { computeDailyGoals, DAY_SECONDS, DayClock } from './world/growth.js';
import { isoDate } from './world/iso-time.js';
import { type Move, planMoves } from './world/moves.js';
import { Names } from './world/names.js';
import { createPopulation } from './world/population.js';
import { at, createRandom } from './world/random.js';
import { createRepositories } from './world/repositories.js';

export interface Demo {
  /** Files in the archive format, in chronological order. */
  readonly files: readonly string[];
  /** Profiles of accounts and repositories, which events do not contain: see `DemoPerson`. */
  readonly peopleFile: string;
  readonly repositoriesFile: string;
  readonly collections: readonly DemoCollection[];
  readonly events: number;
  readonly repositories: number;
  readonly people: number;
}

/**
 * Writes synthetic repositories, people and their events to files. The required memory depends on the number of people
 * and repositories, but not on the number of events.
 */
export async function generateDemo(options: DemoOptions): Promise<Demo> {
  const plan = createPlan(options);
  const world = createWorld(plan);
  await mkdir(options.directory, { recursive: true });
  const { files, events } = await writeDays(world, plan, options);
  const peopleFile = join(options.directory, 'people.ndjson.gz');
  const repositoriesFile = join(options.directory, 'repositories.ndjson.gz');
  await writePeople(peopleFile, world.population, world.repositories, createRandom(plan.seed, 'profiles'));
  await writeRepositories(repositoriesFile, world.repositories);
  return {
    files,
    peopleFile,
    repositoriesFile,
    collections: createCollections(world.repositories),
    events,
    repositories: plan.repositories,
    people: plan.people,
  };
}

/** The simulation with the planned renames and transfers. */
interface World extends Omit<Simulation, 'random'> {
  readonly moves: readonly Move[];
}

function createWorld(plan: DemoPlan): World {
  const { seed, startSeconds, endSeconds, days } = plan;
  const names = new Names(createRandom(seed, 'names'));
  const population = createPopulation(plan.people, names, createRandom(seed, 'people'));
  const random = createRandom(seed, 'repositories');
  const from = { startSeconds, days, population, names, random };
  const repositories = createRepositories(plan.repositories, from);
  const moves = planMoves(repositories, days, names, createRandom(seed, 'moves'));
  return { repositories, population, days, moves, schedule: new Schedule(startSeconds, endSeconds) };
}

async function writeDays(
  world: World,
  plan: DemoPlan,
  options: DemoOptions,
): Promise<{ files: string[]; events: number }> {
  const writer = new EventWriter(createRandom(plan.seed, 'payloads'));
  const simulation: Simulation = { ...world, random: createRandom(plan.seed, 'activity') };
  const clocks = Array.from({ length: plan.days + 1 }, (_, day) => {
    return new DayClock(Math.min(DAY_SECONDS, plan.endSeconds - plan.startSeconds - day * DAY_SECONDS));
  });
  const goals = computeDailyGoals(plan.events, plan.startSeconds, clocks);
  const archive = new DemoArchive(options.directory, plan.events / plan.days);
  let events = 0;
  scheduleBirths(simulation);
  try {
    for (const [day, clock] of clocks.entries()) {
      options.signal?.throwIfAborted();
      const startSeconds = plan.startSeconds + day * DAY_SECONDS;
      applyMoves(world.moves, day);
      fillDay(new DayActivity(simulation, day, startSeconds, clock), world.schedule.on(day), at(goals, day) - events);
      const today = world.schedule.take(day);
      await archive.write(isoDate(startSeconds), writer.lines(today));
      events += today.length;
      options.onProgress?.({ events, total: plan.events, day: isoDate(startSeconds) });
    }
    return { files: await archive.close(), events };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

function applyMoves(moves: readonly Move[], today: number): void {
  for (const { day, repository, name, owner } of moves) {
    if (day === today) Object.assign(repository, { name, owner });
  }
}

/** Adds events to a day until it has `goal` events, and at least one star, one issue and one pull request. */
function fillDay(activity: DayActivity, today: readonly DemoEvent[], goal: number): void {
  for (const trigger of [STAR, ISSUE, PULL_REQUEST]) {
    while (!today.some((event) => event.kind === trigger.kind)) activity.addTrigger(trigger);
  }
  while (today.length < goal) activity.addTrigger();
}

/** From this number of events per day on, files are daily, because a monthly file would be too large for one import. */
const BUSY_DAY = 5_000;

/**
 * The event files, named by their period: `demo-2026-03.json.gz`, or `demo-2026-03-14.json.gz` for busy days. Hourly
 * files, as in the real archive, would be slow to import because they are small.
 */
class DemoArchive {
  readonly #directory: string;
  readonly #nameLength: number;
  readonly #files: string[] = [];
  #open: GzipLines | undefined;

  constructor(directory: string, eventsPerDay: number) {
    this.#directory = directory;
    this.#nameLength = eventsPerDay > BUSY_DAY ? 'YYYY-MM-DD'.length : 'YYYY-MM'.length;
  }

  /** Appends the lines of a day (`YYYY-MM-DD`). Days must be in chronological order. */
  async write(day: string, lines: Iterable<string>): Promise<void> {
    const file = join(this.#directory, `demo-${day.slice(0, this.#nameLength)}.json.gz`);
    if (this.#open?.file !== file) {
      await this.#open?.close();
      this.#open = new GzipLines(file);
      this.#files.push(file);
    }
    await this.#open.write(lines);
  }

  /** Finishes the last file and returns all files, ordered by time. */
  async close(): Promise<string[]> {
    await this.#open?.close();
    this.#open = undefined;
    return this.#files;
  }

  /** Deletes the unfinished file. */
  async discard(): Promise<void> {
    await this.#open?.discard();
  }
}

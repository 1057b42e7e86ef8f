import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DayActivity } from './activity.js';
import { createCollections, type DemoCollection } from './collections.js';
import { DemoArchive } from './demo-archive.js';
import type { DemoEvent } from './demo-event.js';
import { EventWriter } from './event-writer.js';
import { DAY_SECONDS, DayClock, upToEachDay } from './growth.js';
import { isoDate } from './iso-time.js';
import { type Move, planMoves } from './moves.js';
import { Names } from './names.js';
import { createPopulation } from './population.js';
import { writePeople, writeRepositories } from './profiles.js';
import { at, createRandom } from './random.js';
import { createRepositories } from './repositories.js';
import { Schedule } from './schedule.js';
import { ISSUE, PULL_REQUEST, STAR, scheduleBirths } from './sparks.js';
import type { Stage } from './stage.js';

export interface DemoOptions {
  /** Where the files are written; created when it does not exist. */
  readonly directory: string;
  /** The end of the demo: no event is later. */
  readonly now: Date;
  /** Any integer; the default is 1. Equal options give files that are equal to the byte. */
  readonly seed?: number;
  /** About how many events; the default is 300,000. */
  readonly events?: number;
  /** The default is one for 2,500 events, but at least 24. */
  readonly repositories?: number;
  /** The default is one for 15 events, but at least 500. */
  readonly people?: number;
  /** Days before that of `now`; the default is two years, or one day for 100 events, but at least 120. */
  readonly days?: number;
  readonly onProgress?: (progress: DemoProgress) => void;
  /** Ends the work between two days; the file being written is removed, those that are whole stay. */
  readonly signal?: AbortSignal;
}

export interface DemoProgress {
  readonly events: number;
  readonly total: number;
  /** The day just written, `YYYY-MM-DD`. */
  readonly day: string;
}

export interface Demo {
  /** Archive-format files in the order of time, to be imported. */
  readonly files: readonly string[];
  /** Profiles of accounts and repositories, which the events do not carry: see `readDemoPeople`. */
  readonly peopleFile: string;
  readonly repositoriesFile: string;
  readonly collections: readonly DemoCollection[];
  readonly events: number;
  readonly repositories: number;
  readonly people: number;
}

/** Writes a synthetic world and two years of its events. Memory depends on people and repositories, not on events. */
export async function generateDemo(options: DemoOptions): Promise<Demo> {
  const plan = planOf(options);
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

interface Plan {
  readonly seed: number;
  readonly events: number;
  readonly repositories: number;
  readonly people: number;
  readonly days: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

function planOf(options: DemoOptions): Plan {
  const events = options.events ?? 300_000;
  const days = options.days ?? Math.min(730, Math.max(120, Math.round(events / 100)));
  const endSeconds = Math.floor(options.now.getTime() / 1000) + 1;
  const plan = {
    seed: options.seed ?? 1,
    events,
    repositories: options.repositories ?? Math.max(24, Math.round(events / 2500)),
    people: options.people ?? Math.max(500, Math.round(events / 15)),
    days,
    startSeconds: (Math.floor((endSeconds - 1) / DAY_SECONDS) - days) * DAY_SECONDS,
    endSeconds,
  };
  for (const [name, least] of Object.entries(LEAST)) {
    const value = plan[name as keyof typeof LEAST];
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`demo: expected ${name} to be an integer from ${least} on, got ${value}`);
  }
  return plan;
}

/** Fewer cannot fill a collection, a team or a day. */
const LEAST = { seed: Number.MIN_SAFE_INTEGER, events: 1, repositories: 6, people: 100, days: 1, endSeconds: 0 };

interface World extends Omit<Stage, 'random'> {
  readonly moves: readonly Move[];
}

function createWorld(plan: Plan): World {
  const { seed, startSeconds, endSeconds, days } = plan;
  const names = new Names(createRandom(seed, 'names'));
  const population = createPopulation(plan.people, names, createRandom(seed, 'people'));
  const random = createRandom(seed, 'repositories');
  const from = { startSeconds, days, population, names, random };
  const repositories = createRepositories(plan.repositories, from);
  const moves = planMoves(repositories, days, names, createRandom(seed, 'moves'));
  return { repositories, population, days, moves, schedule: new Schedule(startSeconds, endSeconds) };
}

async function writeDays(world: World, plan: Plan, options: DemoOptions): Promise<{ files: string[]; events: number }> {
  const writer = new EventWriter(createRandom(plan.seed, 'payloads'));
  const stage: Stage = { ...world, random: createRandom(plan.seed, 'activity') };
  const clocks = Array.from({ length: plan.days + 1 }, (_, day) => {
    return new DayClock(Math.min(DAY_SECONDS, plan.endSeconds - plan.startSeconds - day * DAY_SECONDS));
  });
  const goals = upToEachDay(plan.events, plan.startSeconds, clocks);
  const archive = new DemoArchive(options.directory, plan.events / plan.days);
  let events = 0;
  scheduleBirths(stage);
  try {
    for (const [day, clock] of clocks.entries()) {
      options.signal?.throwIfAborted();
      const startSeconds = plan.startSeconds + day * DAY_SECONDS;
      move(world.moves, day);
      fill(new DayActivity(stage, day, startSeconds, clock), world.schedule.on(day), at(goals, day) - events);
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

function move(moves: readonly Move[], today: number): void {
  for (const { day, repository, name, owner } of moves) {
    if (day === today) Object.assign(repository, { name, owner });
  }
}

/** Adds to a day until it has `goal` events, and in any case a star, an issue and a pull request. */
function fill(activity: DayActivity, today: readonly DemoEvent[], goal: number): void {
  for (const spark of [STAR, ISSUE, PULL_REQUEST]) {
    while (!today.some((event) => event.kind === spark.kind)) activity.happen(spark);
  }
  while (today.length < goal) activity.happen();
}

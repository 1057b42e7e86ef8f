import { Agent } from 'node:http';
import { createRandom, type Random } from '../../../demo/world/random.js';
import { eventually } from '../../services/eventually.js';
import { COLLECTIONS, type Content, DEFINITIONS, type Definition, type Row } from './definitions.js';
import { History, type Received } from './history.js';
import { get, type HttpAnswer } from './requests.js';
import type { Served, Start, State } from './served.js';
import { ServiceClock, type TestTime } from './service-clock.js';

export interface RunOptions {
  readonly seed: number;
  /** The number of answers that are checked. */
  readonly answers: number;
  readonly time: TestTime;
  readonly startService: Start;
  /** The number of service processes on one database. */
  readonly processes: number;
  readonly settings: Readonly<Record<string, string>>;
  /**
   * How much older than a commit an answer may be, in milliseconds. With Infinity, only requests for the newest version must see the
   * commit.
   */
  readonly lagMs: number;
  /** The number of restarts of services. */
  readonly restarts: number;
  /**
   * Clients wait for a commit after this many answers. Without several answers per commit, most answers on a fast machine would be cache
   * hits of the same versions.
   */
  readonly answersPerCommit: number;
  /** The share of actions that move the clock. */
  readonly clockMoves: number;
  /** Disturbs Redis in a random way. */
  readonly disturb?: (random: Random) => Promise<void>;
}

export interface RunResult {
  readonly faults: readonly string[];
  readonly checked: number;
  /** The number of answers by cache outcome, for example `hit`. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly commits: number;
  readonly restarts: number;
  readonly clockMoves: number;
}

/** Sends random requests while tables change, processes end, and Redis and the clock misbehave, and checks every answer. */
export class Run {
  readonly #options: RunOptions;
  readonly #random: Random;
  readonly #history: History;
  readonly #clock: ServiceClock;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  readonly #children: Served[] = [];
  readonly #faults: string[] = [];
  readonly #outcomes: Record<string, number> = {};
  /** Answers of versions that are not known yet, because the reply to their commit has not arrived yet. */
  readonly #pending: (readonly [Received, boolean])[] = [];
  #checked = 0;
  #commits = 0;
  #clockMoves = 0;
  #restarts = 0;
  #isRestarting = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed, 'actions');
    this.#history = new History(options.lagMs);
    this.#clock = new ServiceClock(options.time);
  }

  async start(): Promise<RunResult> {
    const { processes } = this.#options;
    try {
      for (let index = 0; index < processes; index += 1) this.#children.push(await this.#startChild());
      await this.#commit(initialContent(), false);
      const clients = Array.from({ length: CLIENTS }, (_, index) => this.#request(createRandom(index, 'client')));
      await Promise.all([this.#act(), ...clients]);
      this.#recheck();
      for (const [answer] of this.#pending) this.#faults.push(`the version ${answer.version} is unknown`);
    } finally {
      await Promise.all(this.#children.map((child) => child.kill('SIGKILL')));
      this.#agent.destroy();
    }
    const [faults, outcomes] = [this.#faults, this.#outcomes];
    return {
      faults,
      checked: this.#checked,
      outcomes,
      commits: this.#commits,
      restarts: this.#restarts,
      clockMoves: this.#clockMoves,
    };
  }

  get #isDone(): boolean {
    return this.#checked >= this.#options.answers || this.#faults.length > MAX_FAULTS;
  }

  #startChild(): Promise<Served> {
    return this.#options.startService(this.#options.settings, this.#clock.offsetMs);
  }

  async #act(): Promise<void> {
    const { answers, restarts, clockMoves, disturb } = this.#options;
    while (!this.#isDone) {
      const isRestartDue = this.#checked > ((this.#restarts + 1) * answers) / (restarts + 1);
      // Each run has at least one move.
      const isMoveDue = this.#clockMoves === 0 && this.#checked > answers / 2;
      if (isRestartDue) await this.#restart();
      else if (isMoveDue || this.#random.chance(clockMoves)) await this.#moveClock();
      else if (disturb !== undefined && this.#random.chance(0.08)) await disturb(this.#random);
      else await this.#commit(this.#randomChange(), this.#random.chance(0.1));
      await this.#untilMore(this.#random.below(20));
    }
  }

  /** The number of answers after which clients must wait for the next commit. */
  get #maxAnswers(): number {
    return (this.#commits + 1) * this.#options.answersPerCommit;
  }

  /** Waits for this number of additional answers, but not longer than clients continue without a commit. */
  async #untilMore(answers: number): Promise<void> {
    const until = Math.min(this.#checked + answers, this.#maxAnswers);
    await eventually(() => this.#isDone || this.#checked >= until);
  }

  async #commit(change: Partial<Content>, fails: boolean): Promise<void> {
    const state = await this.#random.pick(this.#children).ask({ kind: 'commit', change, fails });
    this.#commits += 1;
    this.#learn(state);
  }

  #learn(state: State | null): void {
    if (state === null) throw new Error('the service ended unexpectedly');
    this.#history.add(state, this.#options.time.mark());
    this.#recheck();
  }

  /** Kills a process, often during a commit, and starts another one. */
  async #restart(): Promise<void> {
    const index = this.#random.below(this.#children.length);
    const child = this.#children[index] as Served;
    const commit = child.ask({ kind: 'commit', change: this.#randomChange(), fails: false });
    await this.#untilMore(this.#random.below(3));
    this.#isRestarting = true;
    await child.kill(this.#random.chance(0.7) ? 'SIGKILL' : 'SIGTERM');
    await commit;
    const next = await this.#startChild().finally(() => (this.#isRestarting = false));
    this.#learn(await next.ask({ kind: 'state' }));
    this.#children[index] = next;
    this.#restarts += 1;
  }

  async #moveClock(): Promise<void> {
    this.#clockMoves += 1;
    const setAll = async (offsetMs: number) => {
      await Promise.all(this.#children.map((child) => child.ask({ kind: 'clock', offsetMs })));
    };
    await (this.#random.chance(0.5)
      ? this.#clock.moveToMidnight(setAll)
      : this.#clock.moveBy(this.#random.below(7_200_000), setAll));
  }

  #randomChange(): Partial<Content> {
    const id = this.#random.pick(COLLECTIONS);
    const size = this.#random.below(8);
    const repositories = new Set(Array.from({ length: size }, () => this.#random.below(1_000)));
    const items = { [id]: [...repositories].sort((a, b) => a - b) };
    const names = { [id]: `name ${this.#random.below(1_000_000)} of ${id}` };
    const kind = this.#random.below(4);
    return { ...(kind < 3 && { items }), ...(kind > 1 && { names }) };
  }

  async #request(random: Random): Promise<void> {
    const tags = new Map<string, { readonly etag: string; readonly body: string }>();
    while (!this.#isDone) {
      const isEarly = () => !this.#isDone && this.#checked > this.#maxAnswers;
      if (isEarly()) await eventually(() => !isEarly());
      const definition = random.pick(DEFINITIONS);
      const value = definition.values.length > 0 ? random.pick(definition.values) : undefined;
      const query = value === undefined ? '' : `?${definition.parameter}=${value}`;
      const path = random.chance(0.3) ? `/q/${definition.name}${query}` : `/v1/${definition.name}/${query}`;
      const isNewest = random.chance(0.03);
      const known = random.chance(0.3) ? tags.get(path) : undefined;
      const headers = {
        ...(random.chance(0.3) && { 'Accept-Encoding': 'gzip' }),
        ...(isNewest && { 'Cache-Control': 'no-cache' }),
        ...(known && { 'If-None-Match': known.etag }),
      };
      const sentAt = this.#options.time.mark();
      const answer = await get(this.#agent, random.pick(this.#children).url + path, headers, random.chance(0.01));
      if (answer === undefined) {
        await eventually(() => !this.#isRestarting || this.#children.length > 1);
        continue;
      }
      const body = answer.status === 304 ? known?.body : answer.body;
      if (answer.headers.etag !== undefined) tags.set(path, { etag: String(answer.headers.etag), body: body ?? '' });
      this.#check({ definition, value, sentAt, body: body ?? '', answer, isNewest });
    }
  }

  #check({ definition, value, sentAt, body, answer, isNewest }: Checked): void {
    const { status, headers } = answer;
    const outcome = /desc=(\w+)/.exec(String(headers['server-timing']))?.[1] ?? 'none';
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
    if (status !== 200 && status !== 304) {
      // A process that was stopped with SIGTERM rejects requests with 503.
      if (status !== 503 || !body.includes('clos')) this.#faults.push(`status ${status}: ${body.slice(0, 300)}`);
      return;
    }
    const version = headers['x-data-version'];
    if (version === undefined) {
      this.#outcomes.unversioned = (this.#outcomes.unversioned ?? 0) + 1;
      return;
    }
    const clocks = this.#clock.timesSince(sentAt);
    const rows = rowsOf(body);
    const isStale = outcome === 'stale';
    if (isStale !== /"notices":\["/.test(body)) this.#faults.push(`outcome ${outcome}, but the body is ${body}`);
    const received = { definition, value, rows, version: String(version), isStale, sentAt, clocks };
    if (!this.#history.isKnown(received.version)) this.#pending.push([received, isNewest]);
    else this.#report(received, isNewest);
  }

  /** Checks the answers whose versions were not known when they arrived. */
  #recheck(): void {
    for (const [answer, isNewest] of this.#pending.splice(0)) {
      if (this.#history.isKnown(answer.version)) this.#report(answer, isNewest);
      else this.#pending.push([answer, isNewest]);
    }
  }

  #report(answer: Received, isNewest: boolean): void {
    this.#checked += 1;
    const fault = this.#history.faultOf(answer, isNewest);
    if (fault !== undefined) this.#faults.push(`${answer.definition.name} ${answer.value ?? ''}: ${fault}`);
  }
}

interface Checked {
  readonly definition: Definition;
  readonly value: number | undefined;
  readonly sentAt: number;
  readonly body: string;
  readonly answer: HttpAnswer;
  readonly isNewest: boolean;
}

const CLIENTS = 12;
const MAX_FAULTS = 20;

function initialContent(): Content {
  return {
    names: Object.fromEntries(COLLECTIONS.map((id) => [id, `name of ${id}`])),
    items: Object.fromEntries(COLLECTIONS.map((id) => [id, [id, 10 * id]])),
  };
}

/** Returns the rows of an answer in either format, as texts. */
function rowsOf(body: string): Row[] {
  const { data } = JSON.parse(body) as { data: Row[] | { rows: Row[] } };
  const rows = Array.isArray(data) ? data : data.rows;
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])));
}

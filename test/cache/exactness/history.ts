import type { Content, Definition, Row } from './definitions.js';
import type { State } from './served.js';

interface Commit {
  readonly content: Content;
  /** The versions of the two tables after this commit. */
  readonly versions: State['versions'];
  /** The mark at which the commit was known to be complete. */
  readonly knownAt: number;
}

/** A received answer. */
export interface Received {
  readonly definition: Definition;
  readonly value: number | undefined;
  readonly rows: readonly Row[];
  readonly version: string;
  /** Whether the answer states that a newer version may exist. */
  readonly isStale: boolean;
  /** The mark at which the request was sent. */
  readonly sentAt: number;
  /** The possible times of the service's clock between the request and the answer. */
  readonly clocks: readonly string[];
}

const TABLES = ['collections', 'collection_items'];

/** All commits of a run, with the rows that an answer of each version must contain. */
export class History {
  readonly #commits: Commit[] = [];
  readonly #byVersion = new Map<string, Commit>();
  /** How much older than a commit an answer may be, because versions are read at most once per interval. */
  readonly #lagMs: number;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  get latest(): Content | undefined {
    return this.#commits.at(-1)?.content;
  }

  isKnown(version: string): boolean {
    return this.#byVersion.has(version);
  }

  add({ content, versions }: State, knownAt: number): void {
    const commit = { content, versions, knownAt };
    this.#commits.push(commit);
    const newest = TABLES.map((table) => versions[table] ?? '').sort((a, b) => numberOf(b) - numberOf(a))[0] ?? '';
    if (!this.#byVersion.has(newest)) this.#byVersion.set(newest, commit);
    for (const table of TABLES) {
      const version = versions[table] ?? '';
      if (!this.#byVersion.has(version)) this.#byVersion.set(version, commit);
    }
  }

  /**
   * Returns a description of the fault in an answer; undefined if it is correct. With `isNewest`, the request asked for the newest version.
   */
  faultOf(answer: Received, isNewest: boolean): string | undefined {
    const { definition, value, rows, version, isStale, sentAt } = answer;
    const commit = this.#byVersion.get(version);
    if (commit === undefined) return `the version ${version} is unknown`;
    const expected = definition.rows(commit.content, value);
    const got = rows.map(({ at: _, ...row }) => row);
    if (JSON.stringify(got) !== JSON.stringify(expected)) {
      return `version ${version} has ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
    }
    if (isStale) return undefined;
    const lagMs = isNewest ? 0 : this.#lagMs;
    const required = this.#commits.findLast(({ knownAt }) => knownAt < sentAt - lagMs);
    if (required !== undefined && numberOf(version) < this.#requiredNumber(definition, required)) {
      return `version ${version} is older than ${JSON.stringify(required.versions)} and not stale`;
    }
    return faultOfClock(answer);
  }

  #requiredNumber({ yaml }: Definition, { versions }: Commit): number {
    const read = TABLES.filter((table) => new RegExp(`\\b${table}\\b`).test(yaml));
    return Math.max(...read.map((table) => numberOf(versions[table] ?? '')));
  }
}

function numberOf(version: string): number {
  return Number.parseInt(version, 10) || 0;
}

function faultOfClock({ definition, rows, clocks }: Received): string | undefined {
  if (definition.clock === undefined) return undefined;
  const length = definition.clock === 'day' ? 10 : 13;
  const allowed = clocks.map((time) => time.slice(0, length));
  const wrong = rows.find(({ at }) => !allowed.includes(at?.slice(0, length) ?? ''));
  return wrong && `the time ${wrong.at} is not between ${clocks.join(' and ')}`;
}

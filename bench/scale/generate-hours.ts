import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

export interface GeneratedHours {
  readonly directory: string;
  /** The start of the first hour, in milliseconds. */
  readonly start: number;
  readonly hours: number;
  readonly eventsPerHour: number;
}

/** The number of repositories before the first event. Each event adds `NEW_REPOSITORIES` on average. */
const FIRST_REPOSITORIES = 3_000;
const NEW_REPOSITORIES = 0.14;
/** Each person has this number of repositories. */
const OWNED = 3;

/** The share of each type of event, as in the public feed of 2026, in thousandths. */
const SHARES: readonly (readonly [type: string, thousandths: number])[] = [
  ['PushEvent', 520],
  ['CreateEvent', 180],
  ['DeleteEvent', 30],
  ['PullRequestEvent', 70],
  ['WatchEvent', 50],
  ['IssueCommentEvent', 45],
  ['IssuesEvent', 30],
  ['PullRequestReviewEvent', 20],
  ['PullRequestReviewCommentEvent', 20],
  ['ForkEvent', 20],
  ['ReleaseEvent', 10],
  ['MemberEvent', 5],
];

/**
 * Generates files of archive hours. The population grows, stars go to repositories by Zipf's law, and pushes go to young repositories. The
 * same arguments generate the same files. Yields the path of each file when it is written.
 */
export async function* generateHours({
  directory,
  start,
  hours,
  eventsPerHour,
}: GeneratedHours): AsyncGenerator<string> {
  const world = new World();
  for (let hour = 0; hour < hours; hour++) {
    const from = start + hour * 3_600_000;
    const lines: string[] = [];
    for (let second = 0; second < 3600; second++) {
      const time = `${new Date(from + second * 1000).toISOString().slice(0, 19)}Z`;
      const until = Math.floor(((second + 1) * eventsPerHour) / 3600);
      while (lines.length < until) lines.push(world.nextEvent(time));
    }
    const name = `${new Date(from).toISOString().slice(0, 10)}-${new Date(from).getUTCHours()}.json.gz`;
    const path = join(directory, name);
    await writeFile(path, await compress(`${lines.join('\n')}\n`, { level: 1 }));
    yield path;
  }
}

class World {
  #state = 0x2545f491;
  #repositories = FIRST_REPOSITORIES;
  #events = 7_000_000_000;
  /** The number of issues and pull requests of each repository. */
  readonly #numbers = new Map<number, number>();

  nextEvent(time: string): string {
    this.#events += 1 + this.#below(5);
    const type = this.#type();
    const isNew = type === 'CreateEvent' && this.#share() < NEW_REPOSITORIES / 0.18;
    const repository = isNew ? this.#repositories++ : this.#repository(type);
    const owner = Math.floor(repository / OWNED);
    const isOwner =
      type === 'ReleaseEvent' || type === 'MemberEvent' || isNew || this.#share() < (OWNER_SHARES[type] ?? 0.4);
    const person = isOwner ? owner : this.#below(Math.ceil(this.#repositories / OWNED));
    const org = owner % 9 === 0 ? `,"org":{"id":${personId(owner)},"login":"${login(owner)}"}` : '';
    return (
      `{"id":"${this.#events}","type":"${type}","actor":{"id":${personId(person)},"login":"${login(person)}"},` +
      `"repo":{"id":${repositoryId(repository)},"name":"${repositoryName(repository)}"},` +
      `"payload":${this.#payload(type, repository, person, isNew, time)},"public":true,"created_at":"${time}"${org}}`
    );
  }

  #payload(type: string, repository: number, person: number, isNew: boolean, time: string): string {
    const author = `{"login":"${login(person)}","id":${personId(person)}}`;
    switch (type) {
      case 'PushEvent':
        return `{"push_id":${this.#events * 3},"ref":"refs/heads/main","head":"${this.#hash()}","before":"${this.#hash()}"}`;
      case 'CreateEvent':
        return `{"ref":"main","ref_type":"${isNew ? 'repository' : 'branch'}","description":null}`;
      case 'WatchEvent':
        return '{"action":"started"}';
      case 'ForkEvent': {
        const fork = `${login(person)}/${repositoryName(repository).split('/')[1]}`;
        return `{"forkee":{"id":${this.#events * 9},"full_name":"${fork}","created_at":"${time}"}}`;
      }
      case 'ReleaseEvent':
        return `{"action":"published","release":{"id":${this.#events},"published_at":"${time}"}}`;
      case 'MemberEvent':
        return '{"action":"added"}';
      case 'DeleteEvent':
        return '{"ref":"topic","ref_type":"branch"}';
      default:
        return this.#discussion(type, repository, author, time);
    }
  }

  /** The payload of an event of an issue or a pull request. */
  #discussion(type: string, repository: number, author: string, time: string): string {
    const last = this.#numbers.get(repository) ?? 0;
    const isOpening = (type === 'IssuesEvent' || type === 'PullRequestEvent') && (last === 0 || this.#share() < 0.55);
    const number = isOpening ? last + 1 : 1 + this.#below(Math.max(last, 1));
    if (isOpening) this.#numbers.set(repository, number);
    const id = repositoryId(repository) * 1000 + number;
    const action = isOpening
      ? 'opened'
      : type.endsWith('CommentEvent') || type.includes('Review')
        ? 'created'
        : 'closed';
    if (type === 'IssuesEvent' || type === 'IssueCommentEvent') {
      const comment = type === 'IssuesEvent' ? '' : `,"comment":{"id":${this.#events * 2},"user":${author}}`;
      return `{"action":"${action}","issue":{"id":${id},"number":${number},"user":${author},"state":"open","comments":${number % 7},"created_at":"${time}"}${comment}}`;
    }
    const review =
      type === 'PullRequestEvent'
        ? ''
        : `,"${type.includes('Comment') ? 'comment' : 'review'}":{"id":${this.#events},"user":${author}}`;
    return `{"action":"${action}","number":${number},"pull_request":{"id":${id},"number":${number}}${review}}`;
  }

  /** Popular repositories get stars, issues and pull requests; young ones get pushes. */
  #repository(type: string): number {
    const isPopular = this.#share() < (POPULAR_SHARES[type] ?? 0.6);
    if (isPopular)
      return Math.min(Math.floor(Math.exp(this.#share() * Math.log(this.#repositories))), this.#repositories) - 1;
    const young = Math.min(this.#repositories, YOUNG_REPOSITORIES);
    return this.#share() < 0.7 ? this.#repositories - 1 - this.#below(young) : this.#below(this.#repositories);
  }

  #type(): string {
    let rest = this.#below(1000);
    for (const [type, thousandths] of SHARES) {
      if (rest < thousandths) return type;
      rest -= thousandths;
    }
    return 'PushEvent';
  }

  #hash(): string {
    let text = '';
    for (let part = 0; part < 5; part++) text += this.#next().toString(16).padStart(8, '0');
    return text;
  }

  #below(limit: number): number {
    return Math.floor(this.#share() * limit);
  }

  #share(): number {
    return this.#next() / 0x1_0000_0000;
  }

  /** The xorshift generator of 32 bits by George Marsaglia. */
  #next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return state >>> 0;
  }
}

const YOUNG_REPOSITORIES = 300_000;

/** How often the owner of a repository is the actor of an event. Default: 0.4. */
const OWNER_SHARES: Readonly<Record<string, number>> = {
  WatchEvent: 0,
  ForkEvent: 0,
  PushEvent: 0.85,
  CreateEvent: 0.85,
  DeleteEvent: 0.85,
};
/** How often an event belongs to a popular repository. Default: 0.6. */
const POPULAR_SHARES: Readonly<Record<string, number>> = {
  PushEvent: 0,
  CreateEvent: 0,
  DeleteEvent: 0,
  MemberEvent: 0,
};

const SYLLABLES = [
  'ka',
  'mo',
  'ri',
  'ten',
  'zu',
  'lo',
  'pix',
  'dev',
  'ana',
  'sol',
  'ver',
  'nix',
  'tar',
  'qu',
  'bel',
  'or',
];

function repositoryId(repository: number): number {
  return 100_000_000 + repository * 1000;
}

function personId(person: number): number {
  return 1_000_000 + person * 1000;
}

/** The same number always has the same name, and names are not in the order of the numbers. */
function login(person: number): string {
  const mixed = Math.imul(person + 17, 0x9e3779b1) >>> 0;
  return `${SYLLABLES[mixed >>> 28]}${SYLLABLES[(mixed >>> 24) & 15]}${SYLLABLES[(mixed >>> 20) & 15]}${person}`;
}

function repositoryName(repository: number): string {
  const mixed = Math.imul(repository + 5, 0x85ebca6b) >>> 0;
  return `${login(Math.floor(repository / OWNED))}/${SYLLABLES[mixed >>> 28]}-${SYLLABLES[(mixed >>> 24) & 15]}${repository}`;
}

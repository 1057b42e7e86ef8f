import { expect } from 'chai';
import { tokenOf } from '../service/demo-service.js';

/** A caller that sends sequential calls. Each call enables or disables one subscription or the e-mail updates. */
interface Switcher {
  readonly login: string;
  /** The repository of the subscription; undefined for the e-mail updates. */
  readonly repository: string | undefined;
  /** The last acknowledged state. */
  acknowledged: boolean;
  /** The requested state, while a call is unanswered. */
  asked: boolean | undefined;
}

/** Users who concurrently change their subscriptions and settings, and record the acknowledged states. */
export class Storm {
  readonly #switchers: readonly Switcher[];
  readonly #tokens = new Map<string, string>();

  constructor(users: number, repositories: readonly string[]) {
    this.#switchers = Array.from({ length: users }, (_, index) => `stormy-${index}`).flatMap((login) =>
      [undefined, ...repositories].map((repository) => ({ login, repository, acknowledged: false, asked: undefined })),
    );
  }

  get callers(): number {
    return this.#switchers.length;
  }

  /**
   * Runs all callers concurrently. After `calls` successful calls, `kill` is called, and each caller stops at its next failed call. Before
   * `kill`, failed calls are retried, because calls can fail on a slow machine.
   */
  async blow(url: string, calls: number, kill: () => unknown): Promise<void> {
    for (const { login } of this.#switchers) {
      if (!this.#tokens.has(login)) this.#tokens.set(login, await tokenOf(login));
    }
    let count = 0;
    let killed: unknown;
    const end = performance.now() + PATIENCE_MS;
    const run = async (switcher: Switcher) => {
      for (;;) {
        if (await this.#call(url, switcher)) {
          if (++count === calls) killed = kill();
        } else if (count >= calls) return;
        if (performance.now() > end) throw new Error(`Only ${count} calls of ${calls} succeeded in time.`);
      }
    };
    await Promise.all(this.#switchers.map(run));
    await killed;
  }

  /** Expects that every setting has its last acknowledged state, or the state of a later unanswered call. */
  async expectKept(url: string): Promise<void> {
    for (const login of new Set(this.#switchers.map((switcher) => switcher.login))) {
      const headers = { Authorization: `Bearer ${this.#tokens.get(login)}` };
      const read = async (path: string) => (await fetch(url + path, { headers })).json();
      const subscriptions = (await read('/user/subscriptions/')) as { repoName: string }[];
      const { emailGetUpdates } = (await read('/user/email-updates/')) as { emailGetUpdates: boolean };
      const names = subscriptions.map(({ repoName }) => repoName);
      expect(new Set(names).size).to.equal(names.length);
      for (const switcher of this.#switchers.filter((one) => one.login === login)) {
        const { repository, acknowledged, asked } = switcher;
        const kept = repository === undefined ? emailGetUpdates : names.includes(repository);
        expect(kept, `${login} ${repository}`).to.be.oneOf([acknowledged, asked ?? acknowledged]);
        switcher.acknowledged = kept;
        switcher.asked = undefined;
      }
    }
  }

  /** Returns the number of enabled subscriptions and settings, by login of the user. */
  switchedOn(): Map<string, number> {
    const on = new Map<string, number>();
    for (const { login, acknowledged } of this.#switchers) on.set(login, (on.get(login) ?? 0) + Number(acknowledged));
    return on;
  }

  async #call(url: string, switcher: Switcher): Promise<boolean> {
    const { login, repository, acknowledged } = switcher;
    const wanted = !acknowledged;
    switcher.asked = wanted;
    const action = wanted ? 'subscribe' : 'unsubscribe';
    const path = repository === undefined ? '/user/email-updates/' : `/repos/${repository}/${action}/`;
    const headers = { Authorization: `Bearer ${this.#tokens.get(login)}`, 'Content-Type': 'application/json' };
    const body = repository === undefined ? { body: JSON.stringify({ enable: wanted }) } : {};
    const response = await fetch(url + path, { method: 'PUT', headers, ...body }).catch(() => undefined);
    const answer = (await response?.json().catch(() => undefined)) as object | undefined;
    if (response?.status !== 200 || answer === undefined) return false;
    const said = repository === undefined ? { emailGetUpdates: wanted } : { subscribed: Number(wanted) };
    expect(answer).to.include(said);
    switcher.acknowledged = wanted;
    switcher.asked = undefined;
    return true;
  }
}

const PATIENCE_MS = 120_000;

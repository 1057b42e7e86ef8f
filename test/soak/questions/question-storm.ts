import { expect } from 'chai';
import type { questionBody } from '../../../app-routes/explorer/question-parameter.js';
import { tokenOf } from '../../service/demo-service.js';
import { textOf } from './storm-model.js';

export type QuestionRecord = ReturnType<typeof questionBody>;

export interface StormedQuestion {
  readonly text: string;
  readonly id: string;
  /** The statuses in the event streams. If there are two processes, the stream is from the other process. */
  readonly statuses: readonly string[];
  /** The question after it has ended. */
  readonly record: QuestionRecord;
}

export interface StormOptions {
  /** The number of users. Default: 50. */
  readonly users?: number;
  /** Called after the first burst. */
  readonly onBurst?: () => unknown;
}

export interface Storm {
  readonly questions: readonly StormedQuestion[];
  /** For each user, the questions that the service accepted in the first burst. */
  readonly bursts: readonly Burst[];
  /** The duration of the first burst in milliseconds. */
  readonly burstMs: number;
  readonly totalMs: number;
}

/** The questions of one user after the first burst. */
export interface Burst {
  readonly accepted: number;
  readonly stored: number;
  /** The number of questions that have already ended: on a busy machine, the first ones can end before the last ones arrive. */
  readonly ended: number;
}

const PER_USER = 4;

/**
 * Each user asks four questions concurrently, distributed over the processes. A rejected question is asked again when an earlier question
 * of the same user has ended.
 */
export async function storm(
  urls: readonly string[],
  { users: count = 50, onBurst = () => {} }: StormOptions = {},
): Promise<Storm> {
  const users = await Promise.all(Array.from({ length: count }, (_, index) => Asker.create(urls, index)));
  const started = performance.now();
  const accepted = await Promise.all(users.map((user) => user.askAll()));
  const burstMs = Math.round(performance.now() - started);
  const stored = await Promise.all(users.map((user) => user.countStored()));
  const bursts = stored.map((counts, index) => ({ accepted: accepted[index] ?? 0, ...counts }));
  await onBurst();
  const questions = (await Promise.all(users.map((user) => user.finish()))).flat();
  const totalMs = Math.round(performance.now() - started);
  return { questions, bursts, burstMs, totalMs };
}

/** A user who asks four questions. */
class Asker {
  readonly #urls: readonly string[];
  readonly #headers: Readonly<Record<string, string>>;
  readonly #texts: readonly string[];
  /** The ids of the accepted questions. */
  readonly #ids = new Map<string, string>();

  /** Creates a user by the first request of an account. */
  static async create(urls: readonly string[], index: number): Promise<Asker> {
    const asker = new Asker(urls, await tokenOf(`stormy-${index}`), index);
    expect(await asker.countStored()).to.deep.equal({ stored: 0, ended: 0 });
    return asker;
  }

  private constructor(urls: readonly string[], token: string, index: number) {
    this.#urls = urls;
    this.#headers = { Authorization: `Bearer ${token}` };
    this.#texts = Array.from({ length: PER_USER }, (_, number) => textOf(index * PER_USER + number));
  }

  /** Asks all questions concurrently. Returns the number of accepted questions. */
  async askAll(): Promise<number> {
    await Promise.all(this.#texts.map((text) => this.#ask(text)));
    return this.#ids.size;
  }

  async countStored(): Promise<Omit<Burst, 'accepted'>> {
    const stored = await this.#listStored();
    return { stored: stored.length, ended: stored.filter(({ status }) => isFinal(status)).length };
  }

  /** Asks each rejected question again when an earlier one has ended. Resolves when all have ended. */
  async finish(): Promise<StormedQuestion[]> {
    const accepted = [...this.#ids.keys()];
    const rejected = this.#texts.filter((text) => !this.#ids.has(text));
    const ended = await Promise.all(
      accepted.map(async (text, index) => {
        const first = await this.#follow(text);
        const next = rejected[index];
        if (next === undefined) return [first];
        expect(await this.#ask(next), `${next} after another question ended`).to.equal(true);
        return [first, await this.#follow(next)];
      }),
    );
    return ended.flat();
  }

  /** Asks one question. Returns whether it was accepted. */
  async #ask(text: string): Promise<boolean> {
    const response = await fetch(`${this.#processOf(text, 0)}/explorer/questions/`, {
      method: 'POST',
      headers: { ...this.#headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ question: text, ignoreCache: true }),
    });
    const body = (await response.json()) as { id: string; code?: string; status: string };
    if (response.status === 429) {
      expect(body.code).to.equal('too_many_questions');
      expect(Number(response.headers.get('retry-after'))).to.be.at.least(1);
      return false;
    }
    if (response.status === 503) return this.#askAgain(text);
    expect(response.status, JSON.stringify(body)).to.equal(200);
    expect(body.status).to.equal('new');
    this.#ids.set(text, body.id);
    return true;
  }

  /**
   * Asks a question again if the database was too busy on a slow machine. The failed answer does not state whether the question was stored.
   */
  async #askAgain(text: string): Promise<boolean> {
    const stored = (await this.#listStored()).find(({ title }) => title === text);
    if (stored === undefined) return this.#ask(text);
    this.#ids.set(text, stored.id);
    return true;
  }

  async #listStored(): Promise<readonly StoredQuestion[]> {
    const response = await fetch(`${this.#urls[0]}/user/questions/`, { headers: this.#headers });
    expect(response.status).to.equal(200);
    return ((await response.json()) as { questions: StoredQuestion[] }).questions;
  }

  async #follow(text: string): Promise<StormedQuestion> {
    const id = this.#ids.get(text) as string;
    return { text, id, ...(await followToEnd(this.#processOf(text, 1), id)) };
  }

  /** Returns the process to which a question is sent (`offset` 0), or whose event stream reports its progress (`offset` 1). */
  #processOf(text: string, offset: number): string {
    return this.#urls[(Number(text.split(' ')[2]) + offset) % this.#urls.length] as string;
  }
}

interface StoredQuestion {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

function isFinal(status: string): boolean {
  return ['success', 'error', 'cancel'].includes(status);
}

/** Reads the event stream of a question. Like a client, reconnects until the question has a final status. */
export async function followToEnd(
  url: string,
  id: string,
): Promise<{ readonly record: QuestionRecord; readonly statuses: readonly string[] }> {
  const statuses: string[] = [];
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const records = await readEvents(`${url}/explorer/questions/${id}/`).catch(() => []);
    for (const { status } of records) if (statuses.at(-1) !== status) statuses.push(status);
    const record = records.at(-1);
    if (record !== undefined && isFinal(record.status)) return { record, statuses };
  }
  throw new Error(`The question ${id} did not end within ${PATIENCE_MS} ms: ${statuses}`);
}

const PATIENCE_MS = 120_000;

async function readEvents(url: string): Promise<QuestionRecord[]> {
  const response = await fetch(url, { headers: { Accept: 'text/event-stream' } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The stream of events has the status ${response.status}: ${text}`);
  return [...text.matchAll(/^data: ?(\{.*\})$/gm)].map(([, data]) => JSON.parse(data ?? '') as QuestionRecord);
}

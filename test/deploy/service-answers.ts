import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

type Environment = Readonly<Record<string, string>>;

const REPOSITORY = 'acme/tool';
const PATHS = [
  '/v1/collections/',
  '/v1/trends/repos/',
  `/v1/repos/${REPOSITORY}/stargazers/history/`,
  `/v1/repos/${REPOSITORY}/issue_creators/`,
  `/v1/repos/${REPOSITORY}/pull_request_creators/`,
  '/user/subscriptions/',
];
/** Times of the computation of an answer. They differ between two answers with the same data. */
const TIMES = new Set(['start_ms', 'end_ms', 'latency', 'age_ms', 'computed_at', 'executed_at', 'expiresAt', 'limit']);

/** A collection for `data collections`, with a repository of the hour files. */
export const COLLECTION = `- { id: 1, name: Test collection, items: [{ repo_name: ${REPOSITORY} }] }\n`;

/** A running service of a version of the program, whose file `program` names. */
export interface RunningVersion {
  /** Subscribes the user of the token to a repository of the data. */
  subscribe(token: string): Promise<number>;
  /** The answers about the data and the user, without times of computation. */
  answers(token: string): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Kills the processes that a failed test did not end. */
export function killVersions(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs a command of a version to its end and returns its output. Fails if the command fails. */
export async function runVersion(program: string, words: readonly string[], environment: Environment): Promise<string> {
  const { child, out, err } = startVersion(program, words, environment);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${out()}${err()}`);
  return out();
}

/** Starts the service of a version. Resolves when it listens. */
export async function serveVersion(program: string, environment: Environment): Promise<RunningVersion> {
  const { child, out, err } = startVersion(program, ['serve'], { ...environment, PORT: '0' });
  const closed = once(child, 'close');
  let url: string | undefined;
  while (url === undefined) {
    const isOver = await Promise.race([once(child.stdout, 'data').then(() => false), closed.then(() => true)]);
    if (isOver) throw new Error(`the service did not start: ${out()}${err()}`);
    url = /(http:\/\/127[^\s"]+)/.exec(out())?.[1];
  }
  const base = url.replace(/\/$/, '');
  const headersOf = (token: string) => ({ Authorization: `Bearer ${token}` });
  return {
    subscribe: async (token) => {
      const request = { method: 'PUT', headers: headersOf(token) };
      const response = await fetch(`${base}/repos/${REPOSITORY}/subscribe/`, request);
      await response.body?.cancel();
      return response.status;
    },
    answers: async (token) => {
      const answers: Record<string, unknown> = {};
      for (const path of PATHS) {
        const response = await fetch(base + path, { headers: headersOf(token) });
        const body = await response.text();
        answers[path] = {
          status: response.status,
          body: JSON.parse(body, (key, value) => (TIMES.has(key) ? 0 : value)),
        };
      }
      return answers;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await closed;
      if (code !== 0) throw new Error(`the service ended with ${code}: ${err()}`);
    },
  };
}

function startVersion(program: string, words: readonly string[], environment: Environment) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...environment };
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return { child, out: () => out, err: () => err };
}

import { listening, start, startHere } from '../cli/command-line.js';

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
/** Members with times of computation, which differ between two answers with the same data. */
const TIMES = new Set(['start_ms', 'end_ms', 'latency', 'age_ms', 'computed_at', 'executed_at', 'expiresAt', 'limit']);

/** A collections file with a repository from the hour files. */
export const COLLECTION = `- { id: 1, name: Test collection, items: [{ repo_name: ${REPOSITORY} }] }\n`;

/** A running service of a version of the program. */
export interface RunningVersion {
  /** Subscribes the user of the token to a repository of the data. */
  subscribe(token: string): Promise<number>;
  /** Returns the answers about the data and the user, without times of computation. */
  answers(token: string): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

/** A version of the program: the path of its command line file, or `this version`. Commands of `this version` run in this process. */
export type Version = string;
export const THIS_VERSION: Version = 'this version';

/** Runs a command of a version to its end and returns its output. Fails if the command fails. */
export async function runVersion(
  version: Version,
  words: readonly string[],
  environment: Environment,
): Promise<string> {
  const { code, out, err } = await startVersion(version, words, environment).ended;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${out}${err}`);
  return out;
}

/** Starts the service of a version. Resolves when it listens. */
export async function serveVersion(version: Version, environment: Environment): Promise<RunningVersion> {
  const started = startVersion(version, ['serve'], { ...environment, PORT: '0', LOG_LEVEL: 'error' });
  const url = await listening(started);
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
      started.stop();
      const { code, err } = await started.ended;
      if (code !== 0) throw new Error(`the service ended with ${code}: ${err}`);
    },
  };
}

function startVersion(version: Version, words: readonly string[], environment: Environment) {
  if (version === THIS_VERSION) return startHere(words, { environment });
  const started = start(words, { environment, program: version });
  return { ...started, stop: () => void started.child.kill('SIGTERM') };
}

import { setTimeout as pause } from 'node:timers/promises';
import { signToken } from '../accounts/identity/bearer-tokens.js';
import { type ModelServer, startModelServer } from '../test/explorer/model-server.js';
import { type ServerChild, startServer } from './child.js';
import { createDemo, demoSettings, NOW } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { percentile95 } from './response-times.js';

const EVENTS = 300_000;
const ROUNDS = 60;
const WAITING_ROUNDS = 3;
const SECONDS = 8;
const ANSWER_TARGET = 1.5;
const WAITING_TARGET = 1.3;
/** The number of queued questions. Several users are needed, because a user may only have two questions in progress. */
const WAITING = 50;

/** Questions that definitions answer, with the URLs of the same answers under `/v1`. */
const QUESTIONS = [
  ['Who opened the most issues in amber-ibex/reed-stack?', '/v1/repos/amber-ibex/reed-stack/issue_creators/'],
  ['Which repositories are trending this week?', '/v1/trends/repos/?period=past_week'],
  [
    'Which countries do the stargazers of amber-ibex/reed-stack come from?',
    '/v1/repos/amber-ibex/reed-stack/stargazers/countries/',
  ],
] as const;

const SECRET = 'a secret that only this benchmark uses';

/**
 * Compares the response times of the explorer with those of the definitions that it uses, and the response times of `/v1` with and without
 * queued questions.
 */
export async function benchExplorer(folder: string, log: (text: string) => void): Promise<Figure[]> {
  log(`creating a demo of ${EVENTS} events`);
  await createDemo(demoSettings(folder), EVENTS);
  const model = await startModelServer({ otherwise: SLOW_ANSWER });
  const variables = { DATA_DIR: folder, NOW, JWT_SECRET: SECRET, CALLER_LIMIT_PER_MINUTE: '0' };
  const ofModel = { MODEL_URL: model.url, MODEL_NAME: 'bench' };
  const start = () =>
    startServer(
      'own-server',
      Object.entries({ ...variables, ...ofModel }).map(([name, value]) => `${name}=${value}`),
    );
  try {
    const answers = await withServer(start, (url) => compareAnswers(url, log));
    return [...answers, await compareWaiting(start, log)];
  } finally {
    await model.close();
  }
}

/** A reply of the model that takes about two seconds. */
const SLOW_ANSWER: Parameters<ModelServer['replyTo']>[1] = {
  answer: {
    revisedTitle: 'Languages',
    notClear: '',
    assumption: '',
    combinedTitle: 'Languages',
    sqlCanAnswer: true,
    sql: 'SELECT primary_language, COUNT(*) AS repositories FROM github_repos GROUP BY primary_language',
    chart: null,
    recommendedQuestions: [],
    reason: '',
  },
  pieceLength: 10,
  pause: () => pause(60),
};

async function withServer<T>(start: () => Promise<ServerChild>, work: (url: string) => Promise<T>): Promise<T> {
  const server = await start();
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function compareAnswers(url: string, log: (text: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [question, path] of QUESTIONS) {
    log(`${ROUNDS} rounds: ${path}, and the question "${question}"`);
    await timeOf(() => fetch(url + path));
    const warmUp = await newUser(url);
    await timeOf(() => ask(url, '/explorer/answer/', question, warmUp));
    const times = await alternate(ROUNDS, {
      definition: () => timeOf(() => fetch(url + path)),
      answer: async () => {
        const token = await newUser(url);
        return timeOf(() => ask(url, '/explorer/answer/', question, token));
      },
    });
    const [definition, answer] = [median(times.definition), median(times.answer)];
    figures.push({
      name: `explorer: answer, ${path.replace(/\?.*/, '')}`,
      value: answer / definition,
      unit: '×',
      target: ANSWER_TARGET,
      bound: 'at most',
      detail: `p50 of the answer ${answer.toFixed(1)} ms, of the definition ${definition.toFixed(1)} ms`,
    });
  }
  return figures;
}

async function compareWaiting(start: () => Promise<ServerChild>, log: (text: string) => void): Promise<Figure> {
  log(`${WAITING_ROUNDS} rounds of ${SECONDS} s: without questions, and with ${WAITING} waiting questions`);
  const path = QUESTIONS[0][1];
  const times = await alternate(WAITING_ROUNDS, {
    quiet: () => withServer(start, (url) => percentile95(url + path, SECONDS)),
    waiting: () =>
      withServer(start, async (url) => {
        for (let user = 0; user < WAITING / 2; user++) {
          const token = await newUser(url);
          for (const part of ['first', 'second']) {
            await ask(url, '/explorer/questions/', `Which languages, ${part} question of ${user}?`, token);
          }
        }
        return percentile95(url + path, SECONDS);
      }),
  });
  const [quiet, waiting] = [median(times.quiet), median(times.waiting)];
  return {
    name: `explorer: p95 of /v1 with ${WAITING} waiting questions`,
    value: waiting / quiet,
    unit: '×',
    target: WAITING_TARGET,
    bound: 'at most',
    detail: `${waiting.toFixed(1)} ms against ${quiet.toFixed(1)} ms, medians of ${WAITING_ROUNDS}`,
  };
}

let users = 0;

/** Creates a new user, because the number of questions per user is limited. Returns a token. */
async function newUser(url: string): Promise<string> {
  const rules = { issuer: 'repo-insight', audience: 'repo-insight' };
  const login = `bench-${users++}`;
  const token = await signToken(rules, SECRET, { sub: `bench|${login}`, preferred_username: login }, 600, new Date());
  await timeOf(() => fetch(`${url}/user/`, { headers: { Authorization: `Bearer ${token}` } }));
  return token;
}

function ask(url: string, path: string, question: string, token: string): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ question, ignoreCache: true }),
  });
}

async function timeOf(send: () => Promise<Response>): Promise<number> {
  const started = performance.now();
  const response = await send();
  const text = await response.text();
  if (response.status !== 200) throw new Error(`expected 200, got ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - started;
}

import { setTimeout as pause } from 'node:timers/promises';
import { loadDefinitions } from '../../../server/settings/definitions.js';
import { type PrivateRedis, startRedis } from '../../../test/services/redis.js';
import type { DatabaseServer } from '../../../test/services/server.js';
import { createDemo, demoSettings, serverVariables } from '../../demo-service.js';
import { urlOfExample } from '../../example-url.js';
import type { Figure } from '../../measure.js';
import { withMariaDb } from '../../with-mariadb.js';
import type { RowContext } from '../context.js';
import { applyLoad, type LoadReport } from '../load/load.js';
import { mariaDbPid } from '../mariadb-pid.js';
import { startService } from '../service.js';
import { type Phase, PhaseLog } from './phases.js';

const NAME = 'outages';
const EVENTS = 50_000;
const CONNECTIONS = 8;
/** The pause between two requests of a connection. In total, at most 400 requests per second are sent. */
const EVERY_MS = 20;
const QUICK_SECONDS = 8;
/** The answer of this operation is not cached during an outage, because it changes once per minute: the service counts visits. */
const NOT_WARM = 'list-hot-collections';

/** Stops the database and Redis while clients request cached answers. */
export async function measureOutages(context: RowContext): Promise<Figure[]> {
  return withMariaDb(NAME, async (url, database) => {
    const { folder, log } = context;
    const variables = serverVariables(url);
    log(`creating a demo of ${EVENTS} events`);
    await createDemo(demoSettings(folder, variables), EVENTS, { now: new Date() });
    const redis = await startRedis();
    const service = await startService(folder, { ...variables, REDIS_URL: redis.url });
    try {
      return await runPhases(context, service.url, phasesOf(context, database, redis));
    } finally {
      await service.stop();
      await redis.remove();
    }
  });
}

function phasesOf({ isQuick }: RowContext, database: DatabaseServer, redis: PrivateRedis): Phase[] {
  const seconds = (full: number) => (isQuick ? QUICK_SECONDS : full);
  const signal = (name: NodeJS.Signals) => async () => void process.kill(mariaDbPid(database), name);
  const [up, down] = [{ hasDatabase: true }, { hasDatabase: false }];
  return [
    { name: 'quiet', seconds: seconds(20), begin: async () => undefined, ...up },
    { name: 'database stalled', seconds: seconds(60), begin: signal('SIGSTOP'), ...down },
    { name: 'database continued', seconds: seconds(30), begin: signal('SIGCONT'), ...up },
    { name: 'database killed', seconds: seconds(60), begin: () => database.kill(), ...down },
    { name: 'database restarted', seconds: seconds(30), begin: () => database.restart(), ...up },
    { name: 'Redis stopped', seconds: seconds(30), begin: () => redis.stop(), ...up },
    { name: 'Redis restarted', seconds: seconds(20), begin: () => redis.restart(), ...up },
  ];
}

async function runPhases({ log }: RowContext, url: string, phases: readonly Phase[]): Promise<Figure[]> {
  const definitions = await loadDefinitions({ endpointsDirectory: undefined });
  const paths = definitions.filter(({ definition }) => definition.name !== NOT_WARM).map(urlOfExample);
  for (const path of [...paths, ...paths]) {
    const answer = await fetch(url + path);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  const record = new PhaseLog();
  const ended = new AbortController();
  let sent = 0;
  const load = applyLoad({
    ...{ url, connections: CONNECTIONS, everyMs: EVERY_MS, seconds: Number.POSITIVE_INFINITY, signal: ended.signal },
    nextPath: () => paths[sent++ % paths.length] ?? '',
    onAnswer: (answer, path, sentAt, receivedAt) => record.record(answer, path, sentAt, receivedAt),
  });
  for (const phase of phases) {
    log(`${phase.name}, ${phase.seconds} s`);
    // The record of an outage begins before the database stops. The record of another phase begins after the database has started.
    if (!phase.hasDatabase) record.begin(phase);
    await phase.begin();
    if (phase.hasDatabase) record.begin(phase);
    await pause(phase.seconds * 1000);
  }
  ended.abort();
  return figuresOf(record, await load, log);
}

function figuresOf({ counts }: PhaseLog, report: LoadReport, log: (text: string) => void): Figure[] {
  for (const [name, { messages }] of counts) for (const message of messages) log(`${name}: ${message}`);
  const phases = [...counts].flatMap(([name, { requests, failed, wrongAges, slowestMs }]): Figure[] => {
    const measured = { requests, failed, wrongAges, slowestMs };
    const shared = { unit: 'answers', target: 0, bound: 'at most', measured } as const;
    const detail = `of ${requests}; slowest ${slowestMs} ms`;
    return [
      { name: `${NAME}: ${name}: failed`, value: failed, detail, ...shared },
      { name: `${NAME}: ${name}: wrong ages`, value: wrongAges, detail: '', ...shared },
    ];
  });
  // Broken connections are also failures, but no phase counts them, because there is no answer.
  const answered = [...counts.values()].reduce((sum, { failed }) => sum + failed, 0);
  const broken = Math.max(0, report.failed - answered);
  const detail = report.firstFailure ?? '';
  return [
    ...phases,
    { name: `${NAME}: broken connections`, value: broken, unit: 'answers', target: 0, bound: 'at most', detail },
  ];
}

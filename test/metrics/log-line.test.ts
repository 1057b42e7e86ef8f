import { expect } from 'chai';
import { pino } from 'pino';
import type { EndedQuery } from '../../engine/index.js';
import { createSlowQueryLog } from '../../server/metrics/slow-query-log.js';
import { definition } from '../cache/cached-service.js';
import { createOwnFolder, type OwnFolder } from '../live/own-folder.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';

const SECRET = `ghp_${'a'.repeat(36)}`;

describe('the log of requests and queries', () => {
  let own: OwnFolder;
  let demo: DemoService;
  before(async () => {
    own = await createOwnFolder();
    // It always reaches its time limit.
    const endless = definition('endless', {
      more: 'limits: { timeout: 200ms }\n',
      params: '  word: { in: query, type: string, default: a, description: Any text }\n',
      sql: `SELECT COUNT(*) AS id, 'x' AS name FROM calendar_days a JOIN calendar_days b ON a.day <> b.day
  JOIN calendar_days c ON LENGTH(DATE_FORMAT(c.day, '%Y')) + DAY(b.day) + LENGTH({{ word }}) > 0`,
    });
    await own.write('endless.yaml', endless);
    demo = await startDemoService({ ENDPOINTS_DIR: own.path, SLOW_QUERY_MS: '50' }, 500);
  });
  after(async () => {
    await demo?.close();
    await own?.close();
  });

  it('has one line for a failed query, with its cause, and one for the slow query', async () => {
    const id = 'slow-and-failed';
    const path = `/v1/cached/endless/?word=${SECRET}`;
    expect((await demo.get(path, { headers: { 'X-Request-Id': id } })).status).to.equal(504);
    const lines = () => demo.log.filter((line) => JSON.stringify(line).includes(id));
    await eventually(20_000, () => lines().some(({ req }) => req !== undefined));
    const [slow, request, ...others] = lines();
    expect(others).to.deep.equal([]);
    const { res, operation, code, msg, level, err } = request as Record<string, unknown>;
    expect({ res, operation, code, msg, level }).to.deep.equal({
      ...{ res: { statusCode: 504 }, operation: 'endless', code: 'query_timeout', msg: 'request failed', level: 50 },
    });
    expect((err as { message: string }).message).to.include('200 ms');
    const { requestId, parameters, msg: text, omitted, code: reason, databaseMs } = slow as Record<string, unknown>;
    expect({ requestId, parameters, text, omitted, operation: slow?.operation }).to.deep.equal({
      ...{ requestId: id, parameters: 'word=…', text: 'a query was slow', omitted: 0 },
      operation: 'endless',
    });
    // The time limit of the request and the one of its query end at the same moment.
    expect(reason).to.be.oneOf(['query_timeout', 'query_cancelled']);
    expect(databaseMs).to.be.at.least(50);
    const [summary] = demo.service.queries.slowest(1);
    expect([summary?.operation, summary?.slow, summary?.failed]).to.deep.equal(['endless', 1, 1]);
  });

  it('has at most one line for a slow definition in ten seconds, with the number of the others', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    let now = 0;
    const log = createSlowQueryLog(
      logger,
      () => true,
      () => now,
    );
    const query = (endpoint: string): EndedQuery => ({
      ...{ kind: 'queried', endpoint, requestId: undefined, parameters: undefined, rows: 1 },
      ...{ waitMs: 0, ms: 5_000, code: undefined },
    });
    for (now = 0; now < 20_000; now += 1_000) {
      log(query('one'));
      if (now === 5_000) log(query('two'));
    }
    expect(lines.map(({ operation, omitted }) => [operation, omitted])).to.deep.equal([
      ['one', 0],
      ['two', 0],
      ['one', 9],
    ]);
  });
});

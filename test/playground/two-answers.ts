import { createPlaygroundAnswers } from '../../app-routes/playground/run-sql.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { Playground } from '../../explorer/playground/playground.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { openServerPlayground } from '../../server/databases/open-playground.js';
import { requirePublicTables } from '../../server/databases/open-warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { temporaryFolder } from '../databases/duckdb/open-test-database.js';
import { copyDemo, DEMO_SIZE, NOW } from '../service/demo-data.js';
import { JWT_SECRET, PATIENT } from '../service/demo-service.js';
import { useMysql } from '../services/mysql.js';
import { createAccount, type PlaygroundAnswer } from './two-playgrounds.js';

/** Sends SQL to a playground without HTTP. Returns the answer that a request would get. */
export type AskPlayground = (sql: string) => Promise<PlaygroundAnswer>;

/** Playgrounds over the same demo data on both databases. */
export interface TwoAnswers {
  readonly embedded: AskPlayground;
  readonly served: AskPlayground;
}

/** Opens playgrounds without services. The playground on the server uses the documented account. */
export function useTwoAnswers(): TwoAnswers {
  const server = useMysql();
  const opened: { two?: TwoAnswers } = {};
  const closing: (() => Promise<unknown>)[] = [];
  before(async () => {
    const settings = readSettings({ DATA_DIR: temporaryFolder(), NOW, JWT_SECRET, DATABASE_THREADS: '1' });
    await copyDemo(settings, DEMO_SIZE);
    const warehouse = await openWarehouse(settings, PATIENT);
    closing.push(() => warehouse.close());
    // The tables must exist before the account gets privileges on them.
    await copyDemo(readSettings({ DATABASE_URL: server.url }), DEMO_SIZE);
    const account = await createAccount(server);
    closing.push(() => account.drop());
    const served = await openServerPlayground(
      readSettings({ DATABASE_URL: server.url, PLAYGROUND_DATABASE_URL: account.url }),
      requirePublicTables,
    );
    closing.push(() => served.close());
    opened.two = {
      embedded: askOf(new Playground(warehouse.database, TABLE_REFERENCE, LIMIT_MS)),
      served: askOf(new Playground(served, TABLE_REFERENCE, LIMIT_MS)),
    };
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });
  const started = () => {
    if (opened.two === undefined) throw new Error('The playgrounds are available in tests and hooks only.');
    return opened.two;
  };
  return { embedded: (sql) => started().embedded(sql), served: (sql) => started().served(sql) };
}

const LIMIT_MS = 600_000;

function askOf(playground: Playground): AskPlayground {
  const answers = createPlaygroundAnswers(playground, () => new Date(NOW));
  return async (sql) => {
    try {
      return { status: 200, body: JSON.parse(JSON.stringify(await answers({ sql }, {}))) };
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      return { status: error.status, body: { code: error.code, detail: error.message } };
    }
  };
}

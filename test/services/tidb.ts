import { join } from 'node:path';
import { eventually } from './eventually.js';
import { execute } from './mysql.js';
import { type PrivateServer, startPrivateServer } from './private-server.js';

/** An administrator's URL of a TiDB server, without a database. */
export interface TestTidb {
  readonly url: string;
}

/**
 * Gives the suite that calls it a TiDB server: the one of `TEST_TIDB_URL`, or a private one of the program `TIDB_SERVER`. The suite is
 * skipped if neither is set, also with `REQUIRE_SERVICES=1`: TiDB is not a package of a Linux distribution. Read it in tests and hooks only.
 */
export function useTidb(): TestTidb {
  let url = process.env.TEST_TIDB_URL ?? '';
  let server: PrivateServer | undefined;
  before(async function () {
    if (url !== '') return;
    const program = process.env.TIDB_SERVER ?? '';
    if (program === '') return skip(this);
    this.timeout(2 * START_MS);
    server = await startTidb(program);
    const started = `mysql://root@127.0.0.1:${server.port}`;
    // It accepts connections before it has its own tables, and answers them later.
    await eventually(START_MS, () =>
      execute(started, 'DO 0').then(
        () => true,
        () => false,
      ),
    );
    url = started;
  });
  after(() => server?.remove());
  return {
    get url() {
      return url;
    },
  };
}

const START_MS = 30_000;

/** The port of its HTTP status stays closed. */
function startTidb(command: string): Promise<PrivateServer> {
  return startPrivateServer({
    name: 'tidb',
    command,
    arguments: (folder, port) => [
      '--store=unistore',
      `--path=${join(folder, 'store')}`,
      '-P',
      String(port),
      '--host=127.0.0.1',
      '--report-status=false',
      `--socket=${join(folder, 'socket')}`,
      `--temp-dir=${join(folder, 'temporary')}`,
      '-L',
      'error',
      `--log-file=${join(folder, 'log')}`,
    ],
  });
}

function skip(context: Mocha.Context): void {
  const title = context.currentTest?.parent?.title ?? context.test?.parent?.title;
  process.stderr.write(`SKIPPED, needs TiDB: set TIDB_SERVER or TEST_TIDB_URL: ${title}\n`);
  context.skip();
}

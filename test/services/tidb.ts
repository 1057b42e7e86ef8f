import { join } from 'node:path';
import { eventually } from './eventually.js';
import { execute } from './execute.js';
import { startPrivateServer } from './private-server.js';
import type { DatabaseServer } from './server.js';

/** A TiDB server. `url` contains an administrator account and no database. */
export interface TestTidb {
  readonly url: string;
}

/**
 * Returns a TiDB server for the calling suite: the server of `TEST_TIDB_URL`, or a private server of the program `TIDB_SERVER`. If neither
 * is set, the suite is skipped, even with `REQUIRE_SERVICES=1`, because Linux distributions have no TiDB package. The result must only be
 * read in tests and hooks.
 */
export function useTidb(): TestTidb {
  let url = process.env.TEST_TIDB_URL ?? '';
  let server: DatabaseServer | undefined;
  before(async function () {
    if (url !== '') return;
    const program = tidbProgram();
    if (program === '') return skip(this);
    server = await startTidb(program);
    url = server.url;
  });
  after(() => server?.remove());
  return {
    get url() {
      return url;
    },
  };
}

/** Returns the path of the program in `TIDB_SERVER`; empty if it is not set. */
export function tidbProgram(): string {
  return process.env.TIDB_SERVER ?? '';
}

/** Starts a private TiDB server. */
export async function startTidb(command: string): Promise<DatabaseServer> {
  const server = await startPrivateServer({ name: 'tidb', command, arguments: tidbArguments });
  const url = `mysql://root@127.0.0.1:${server.port}`;
  const restart = server.restart.bind(server);
  const answers = () =>
    execute(url, 'DO 0').then(
      () => true,
      () => false,
    );
  // TiDB accepts connections before it has created its system tables, but only answers them after that.
  await eventually(answers);
  return Object.assign(server, { url, restart: () => restart().then(() => eventually(answers)) });
}

/** Returns the arguments of a server without the port for its HTTP status. */
function tidbArguments(folder: string, port: number): readonly string[] {
  return [
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
  ];
}

function skip(context: Mocha.Context): void {
  const title = context.currentTest?.parent?.title ?? context.test?.parent?.title;
  process.stderr.write(`SKIPPED, needs TiDB: set TIDB_SERVER or TEST_TIDB_URL: ${title}\n`);
  context.skip();
}

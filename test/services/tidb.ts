import { join } from 'node:path';
import { eventually } from './eventually.js';
import { execute } from './execute.js';
import { startPrivateServer } from './private-server.js';
import type { DatabaseServer } from './server.js';

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
  let server: DatabaseServer | undefined;
  before(async function () {
    if (url !== '') return;
    const program = tidbProgram();
    if (program === '') return skip(this);
    this.timeout(2 * START_MS);
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

/** The path of the program that `TIDB_SERVER` names; empty if it is not set. */
export function tidbProgram(): string {
  return process.env.TIDB_SERVER ?? '';
}

/** Starts a private one. */
export async function startTidb(command: string): Promise<DatabaseServer> {
  const server = await startPrivateServer({ name: 'tidb', command, arguments: tidbArguments });
  const url = `mysql://root@127.0.0.1:${server.port}`;
  const restart = server.restart.bind(server);
  const answers = () =>
    execute(url, 'DO 0').then(
      () => true,
      () => false,
    );
  // It accepts connections before it has its own tables, and answers them later.
  await eventually(START_MS, answers);
  return Object.assign(server, { url, restart: () => restart().then(() => eventually(START_MS, answers)) });
}

const START_MS = 30_000;

/** The port of its HTTP status stays closed. */
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

import { execFile, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage } from './debian.js';
import { type ServerProgram, startPrivateServer } from './private-server.js';
import type { DatabaseServer } from './server.js';

/** Starts a private MariaDB server. `settings` are additional command line options, for example `--max-connections=5`. */
export async function startMariaDb(settings: readonly string[] = []): Promise<DatabaseServer> {
  const server = await startPrivateServer(mariaDb(settings));
  return Object.assign(server, { url: `mysql://root@127.0.0.1:${server.port}` });
}

/** Whether MariaDB is installed. If MariaDB is missing and this process runs as root on Debian, installs it first. */
export function hasMariaDb(): boolean {
  isHere ??= isMariaDbInstalled() || (installPackage('mariadb-server') && isMariaDbInstalled());
  return isHere;
}

export function isMariaDbInstalled(): boolean {
  return spawnSync('mariadbd', ['--version']).status === 0;
}

let isHere: boolean | undefined;

const run = promisify(execFile);
const USER = userInfo().username;

function mariaDb(settings: readonly string[]): ServerProgram {
  return {
    name: 'mariadb',
    command: 'mariadbd',
    prepare: async (folder) => {
      const account = ['--auth-root-authentication-method=normal', '--skip-name-resolve', '--skip-test-db'];
      const place = ['--no-defaults', `--user=${USER}`, `--datadir=${join(folder, 'data')}`];
      // Each installation uses a separate temporary folder, because concurrent installations would delete each other's files.
      const env = { ...process.env, TMPDIR: folder };
      await run('mariadb-install-db', [...place, ...account, ...FORGETFUL], { env });
    },
    arguments: (folder, port) => [
      '--no-defaults',
      `--user=${USER}`,
      `--datadir=${join(folder, 'data')}`,
      `--tmpdir=${folder}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--local-infile=ON',
      // An unusual time zone, to test that answers do not depend on the time zone of the server.
      '--default-time-zone=+05:45',
      '--max-connections=400',
      ...SMALL,
      ...FORGETFUL,
      ...settings,
    ],
  };
}

const SMALL = [
  '--innodb-buffer-pool-size=128M',
  '--key-buffer-size=1M',
  '--aria-pagecache-buffer-size=8M',
  '--performance-schema=OFF',
  '--thread-cache-size=32',
];

/** Options that make the server faster. Test data need not survive a crash of the machine. */
const FORGETFUL = [
  '--innodb-log-file-size=16M',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=OFF',
  '--innodb-flush-method=nosync',
  '--skip-log-bin',
];

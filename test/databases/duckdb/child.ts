import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Child {
  readonly pid: number | undefined;
  /** The next line that it prints. */
  line(): Promise<string>;
  kill(): Promise<void>;
}

/** A process that opens the file as `database` and then runs `script`; its files may have so many kilobytes. */
export async function child(file: string, script: string, kilobytes?: number): Promise<Child> {
  const entry = new URL('../../../databases/duckdb/embedded.js', import.meta.url).href;
  const options = { file, memoryLimit: '1GB', threads: 1, readers: 1, tempDirectory: `${file}.tmp` };
  const source = `
    import { openEmbedded } from ${JSON.stringify(entry)};
    const database = await openEmbedded(${JSON.stringify(options)});
    ${script}`;
  // The limit of a shell counts 512 bytes; without the trap the process would be killed and nothing told.
  const limit = kilobytes === undefined ? '' : `trap '' XFSZ; ulimit -f ${kilobytes * 2};`;
  const words = ['-c', `${limit} exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', source];
  const running: ChildProcess = spawn('sh', words, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    pid: running.pid,
    line: async () => String((await once(running.stdout as NonNullable<typeof running.stdout>, 'data'))[0]).trim(),
    kill: async () => {
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    },
  };
}

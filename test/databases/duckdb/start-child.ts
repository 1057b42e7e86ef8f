import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Child {
  readonly pid: number | undefined;
  /** Resolves to the next line of the standard output of the process. */
  line(): Promise<string>;
  kill(): Promise<void>;
}

/**
 * Starts a process that opens the file as `database` and runs `script`. If `script` calls `process.stdin.resume()`, the process runs until
 * it is killed. `kilobytes` limits the size of the files that it writes.
 */
export async function startChild(file: string, script: string, kilobytes?: number): Promise<Child> {
  const entry = new URL('../../../engine/databases/duckdb/embedded.js', import.meta.url).href;
  const options = { file, memoryLimit: '1GB', threads: 1, readers: 1, tempDirectory: `${file}.tmp` };
  const source = `
    import { openEmbedded } from ${JSON.stringify(entry)};
    const database = await openEmbedded(${JSON.stringify(options)});
    ${script}`;
  // The unit of `ulimit` is 512 bytes. Without the `trap`, a signal would kill the process without an error message.
  const limit = kilobytes === undefined ? '' : `trap '' XFSZ; ulimit -f ${kilobytes * 2};`;
  const words = ['-c', `${limit} exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', source];
  const running: ChildProcess = spawn('sh', words, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    pid: running.pid,
    line: async () => {
      const ended = once(running, 'exit').then(([code]) => {
        throw new Error(`The process ended with code ${code} instead of writing a line.`);
      });
      const written = once(running.stdout as NonNullable<typeof running.stdout>, 'data');
      return String((await Promise.race([written, ended]))[0]).trim();
    },
    kill: async () => {
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    },
  };
}

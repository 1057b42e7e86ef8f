import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from 'js-yaml';
import { transformWithOxc } from 'vite';

/** A deliberate fault in one line of a source file, and the test suites that must find it. */
export interface Fault {
  readonly layer: string;
  readonly file: string;
  /** The text to replace, which must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly fault: string;
  /** The paths of the suites below `test/`, without `.test.ts`. */
  readonly suites: readonly string[];
}

/** Reads the faults of `test/faults` of a checkout. */
export function readFaults(root: string): Fault[] {
  const folder = join(root, 'test/faults');
  const files = readdirSync(folder).sort();
  return files.flatMap((file) => load(readFileSync(join(folder, file), 'utf8')) as Fault[]);
}

/** The result of a Mocha run. `by` is the failed test or the reason. */
export interface RunEnd {
  readonly state: 'passed' | 'failed' | 'hangs';
  readonly by: string;
  readonly seconds: number;
}

/**
 * A copy of a built checkout in which source files can be changed. The files of the copy are hard links, so a change must replace a file
 * and never write into it. The copy is next to the checkout, because hard links must be on the same file system.
 */
export class FaultyCopy {
  readonly folder: string;

  constructor(private readonly root: string) {
    this.folder = mkdtempSync(`${root}-faults-`);
    const names = readdirSync(root).filter((name) => !NOT_COPIED.has(name));
    execFileSync('cp', ['-al', ...names.map((name) => join(root, name)), this.folder]);
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** Replaces a source file and the compiled file. */
  async write(file: string, source: string): Promise<void> {
    this.#replace(file, source);
    if (file.startsWith('web/')) {
      execFileSync(process.execPath, ['dist/scripts/build-web.js', '--force'], { cwd: this.folder, stdio: 'pipe' });
    } else if (file.endsWith('.ts')) {
      const options = { target: 'es2023', sourcemap: false, typescript: { onlyRemoveTypeImports: true } };
      const { code } = await transformWithOxc(source, join(this.root, file), options);
      this.#replace(compiled(file), code);
    }
  }

  /** Runs suites until the first test fails. When this resolves, all processes of the run have ended. */
  async run(suites: readonly string[], env: NodeJS.ProcessEnv, limitMs: number, stop: AbortSignal): Promise<RunEnd> {
    const report = join(this.folder, 'mocha-report.json');
    rmSync(report, { force: true });
    const files = suites.map((suite) => `dist/test/${suite}.test.js`);
    const words = ['--no-parallel', '--bail', '--reporter', 'json', '--reporter-option', `output=${report}`, ...files];
    const begin = performance.now();
    const mocha = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...words], {
      cwd: this.folder,
      env: { ...process.env, ...env, REQUIRE_SERVICES: '1', [MARK]: this.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let said = '';
    mocha.stderr.on('data', (data) => {
      said = `${said}${data}`.slice(-2000);
    });
    let hangs = false;
    const kill = () => endGroup(mocha.pid);
    const timer = setTimeout(() => {
      hangs = true;
      kill();
    }, limitMs);
    stop.addEventListener('abort', kill);
    const [code] = await once(mocha, 'exit');
    clearTimeout(timer);
    stop.removeEventListener('abort', kill);
    kill();
    const seconds = Math.round((performance.now() - begin) / 100) / 10;
    await this.#endRemainingProcesses();
    if (code === 0) return { state: 'passed', by: '', seconds };
    return { state: hangs ? 'hangs' : 'failed', by: failureIn(report) || said.trim().slice(-300), seconds };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #replace(file: string, content: string): void {
    const path = join(this.folder, file);
    rmSync(path, { force: true });
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }

  /** Ends processes that the run started and did not end. Processes that only remove files of a test get some time to finish. */
  async #endRemainingProcesses(): Promise<void> {
    for (let left = CLEANING_MS; left > 0 && this.#processes().length > 0; left -= PAUSE_MS) await pause(PAUSE_MS);
    for (const pid of this.#processes()) end(pid);
  }

  /** Finds the processes whose environment contains the mark of this copy. Linux only. */
  #processes(): number[] {
    const mark = `${MARK}=${this.folder}\0`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark))
      .map(Number);
  }
}

/** Returns the path of the compiled file for a source file. */
export function compiled(file: string): string {
  return join('dist', file.replace(/\.ts$/, '.js'));
}

const NOT_COPIED = new Set(['node_modules', '.git', 'data', 'shots']);
const MARK = 'FIND_FAULTS_COPY';
const CLEANING_MS = 5000;
const PAUSE_MS = 50;

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

function endGroup(pid: number | undefined): void {
  if (pid !== undefined) end(-pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Returns the first failure in a Mocha report. Empty if there is no report, for example because a module could not be loaded. */
function failureIn(report: string): string {
  if (!existsSync(report)) return '';
  const { failures } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[];
  };
  return failures.map(({ fullTitle, err }) => `${fullTitle}: ${(err.message ?? '').slice(0, 300)}`)[0] ?? '';
}

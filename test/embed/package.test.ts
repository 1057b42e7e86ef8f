import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const MAX_PACKED_BYTES = 3_000_000;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

describe('the package', () => {
  let folder: string;
  let packed: Packed;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'repo-insight-package-'));
    execFileSync(process.execPath, [COMPILER, '-p', 'tsconfig.types.json'], { cwd: ROOT });
    // Without the scripts, which would build the program again.
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    [packed] = JSON.parse(execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' })) as [Packed];
    cpSync(join(ROOT, 'examples/embed'), folder, { recursive: true });
    install(folder, packed.filename);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is small, and has no tests, source maps and sources', () => {
    expect(packed.size).to.be.below(MAX_PACKED_BYTES);
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => /\.map$|(?<!\.d)\.ts$|\.tsx$|^(dist\/)?(test|bench)\//.test(path))).to.deep.equal([]);
    expect(paths).to.include.members(['dist/cli/repo-insight.cjs', 'dist/web/index.html', 'LICENSE', 'README.md']);
  });

  it('runs the example of a program with an engine', async () => {
    execFileSync(process.execPath, ['create-shop.js'], { cwd: folder });
    const child = spawn(process.execPath, ['server.js'], {
      cwd: folder,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [orders, url = ''] = await firstLines(child, 2);
    expect(orders).to.equal('10 open orders');
    const answer = await fetch(`${url}?status=open&page_size=2`);
    expect(answer.status).to.equal(200);
    expect(((await answer.json()) as { data: { rows: unknown } }).data.rows).to.deep.equal([
      { id: '3', status: 'open', total: '4.50' },
      { id: '6', status: 'open', total: '9.00' },
    ]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('has types for programs in TypeScript', () => {
    const program = `
      import { createServer } from 'node:http';
      import { createEngine, type EmbeddedEngine, EngineError, type JsonValue } from 'repo-insight';
      import { openMysql } from 'repo-insight/mysql';
      const database = await openMysql({ url: 'mysql://reader@127.0.0.1/shop' });
      const engine: EmbeddedEngine = await createEngine({ database, definitions: ['endpoints'] });
      const { data } = await engine.run('orders', { status: 'open' }).catch((error: EngineError) => Promise.reject(error.code));
      const first: JsonValue | undefined = data[0]?.total;
      createServer(engine.handler()).listen(first === 1 ? 1 : 2);
      // @ts-expect-error The option has another name.
      await createEngine({ database, definition: 'endpoints' });`;
    writeFileSync(join(folder, 'program.mts'), program);
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'];
    execFileSync(process.execPath, [COMPILER, ...options, 'program.mts'], { cwd: folder, stdio: 'pipe' });
  });

  it('contains the command line', () => {
    const command = [join(folder, 'node_modules/repo-insight/dist/cli/repo-insight.cjs'), '--version'];
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(execFileSync(process.execPath, command, { encoding: 'utf8' }).trim()).to.equal(version);
  });
});

/** Unpacks the package next to links to its dependencies. Packages that only the development needs are not there. */
function install(folder: string, file: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'repo-insight'), { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, file), '--strip-components=1', '-C', join(modules, 'repo-insight')]);
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  const types = ['node_modules/@types/node', 'node_modules/undici-types'];
  for (const [path, { dev, optional }] of Object.entries(lock.packages)) {
    const isTop = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || (dev === true && !types.includes(path)) || optional === true) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
}

async function firstLines({ stdout }: ChildProcess, count: number): Promise<string[]> {
  const lines: string[] = [];
  if (stdout === null) return lines;
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}

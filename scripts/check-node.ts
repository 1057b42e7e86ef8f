import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

// Checks that the repository works with other versions of Node: `npm run check:node -- /path/to/node …`, by default with the current one.
// The script installs and builds a copy of the tracked files, removes the development dependencies, loads the native modules, starts the
// service and sends requests.

const NATIVE = ['@duckdb/node-bindings', '@resvg/resvg-js', 'fs-native-extensions'];

const PLAYGROUND = { sql: 'SELECT COUNT(*) > 0 AS a FROM github_events' };
const MCP = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
/** The requests, each with the content type and the start of the expected answer. */
const REQUESTS: readonly (readonly [path: string, type: string, start: string, body?: object])[] = [
  ['/readyz', 'application/json', '{'],
  ['/', 'text/html', '<!doctype html>'],
  ['/openapi.json', 'application/json', '{"openapi":"3.1'],
  ['/v1/collections/', 'application/json', '{"type":"sql_endpoint"'],
  ['/v1/collections/?format=csv', 'text/csv', 'id,name'],
  ['/v1/collections/?format=arrow', 'application/vnd.apache.arrow.stream', '\ufffd'],
  ['/e/list-collections.png', 'image/png', '\ufffdPNG'],
  ['/q/playground/', 'application/json', '{', PLAYGROUND],
  ['/mcp', 'text/event-stream', 'event: message', MCP],
];

const npm = process.env.npm_execpath;
if (npm === undefined) throw new Error('Run this script with `npm run check:node`.');
const given = process.argv.slice(2).map((path) => resolve(path));
for (const node of given.length === 0 ? [process.execPath] : given) await checkNode(node, npm);

async function checkNode(node: string, npmFile: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'repo-insight-node-'));
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const run = (...words: string[]) =>
    execFileSync(node, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of files) cpSync(file, join(folder, file));
    run(npmFile, 'ci', '--engine-strict', '--no-audit', '--no-fund');
    run(npmFile, 'prune', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
    run('-e', NATIVE.map((name) => `require('${name}');`).join(''));
    await checkService(node, folder);
    console.log(`${run('-v').toString().trim()}: installed, built, started, ${REQUESTS.length} requests answered`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkService(node: string, folder: string): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: folder, DATA_DIR: join(folder, 'data'), PORT: '0' };
  const program = join(folder, 'dist/cli/repo-insight.cjs');
  const service = spawn(node, [program, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(service, 'exit');
  try {
    const url = await listening(service);
    for (const request of REQUESTS) await checkAnswer(url, request);
    service.kill('SIGTERM');
    const end = await ended;
    if (!isDeepStrictEqual(end, [0, null])) throw new Error(`expected the service to stop with code 0, got ${end}`);
  } finally {
    service.kill('SIGKILL');
  }
}

/** Reads the URL of the service from its log. */
async function listening({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the service has no output');
  for await (const line of createInterface({ input: stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    // Without this call, the service would block when the pipe is full.
    stdout.resume();
    return url;
  }
  throw new Error('the service ended before it listened');
}

async function checkAnswer(url: string, [path, type, start, body]: (typeof REQUESTS)[number]): Promise<void> {
  const sent = { method: 'POST', body: JSON.stringify(body) };
  const headers = { Accept: `${type}, application/json`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { headers, ...(body !== undefined && sent) });
  const text = (await response.text()).trimStart();
  const got = response.headers.get('content-type') ?? 'no type';
  if (response.ok && got.startsWith(type) && text.toLowerCase().startsWith(start.toLowerCase())) return;
  throw new Error(`${path}: expected ${type} with ${start}…, got ${response.status} ${got}: ${text.slice(0, 200)}`);
}

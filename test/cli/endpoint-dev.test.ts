import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyEmptyFile } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { run, serveHere, startHere, stopAll } from './command-line.js';

const definitionOf = (sql: string, more = '') => `name: list-days
path: /v1/days/
summary: Days
${more}columns:
  - { col: day, data_type: DATE, nullable: false, description: The day }
sql: ${sql}
`;
const DAYS = definitionOf("SELECT day FROM calendar_days WHERE day < '2000-01-03' ORDER BY day");
const SHARED = 'shared: [days.shared.yaml]\n';
const OF_VIEW = definitionOf('SELECT day FROM {% use few_days %} few ORDER BY day', SHARED);
const viewOf = (day: string) => `views:
  few_days: SELECT day FROM calendar_days WHERE day < '${day}'
`;
/** A query that takes minutes, unless its time limit or a change of the file ends it. */
const SLOW = definitionOf(
  "SELECT MAX(a.day) AS day FROM calendar_days a JOIN calendar_days b ON LENGTH(DATE_FORMAT(a.day, '%Y')) + DAY(b.day) > 0 JOIN calendar_days c ON c.day > a.day",
  'limits: { timeout: 2m }\n',
);

interface Round {
  readonly name: string;
  readonly ok: boolean;
  readonly savedAt: string;
  readonly checks: readonly { readonly kind: string; readonly name: string; readonly ok: boolean }[];
  readonly rows: readonly unknown[];
  readonly warnings: readonly { readonly rule: string }[];
}

describe('the command endpoint dev', () => {
  let folder: string;
  let environment: Record<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-dev-'));
    const database = join(folder, 'mine.duckdb');
    environment = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: `duckdb:${database}`,
      ENDPOINTS_DIR: `${FEW_ENDPOINTS},${join(folder, 'own')}`,
      PORT: '0',
    };
    await mkdir(join(folder, 'own'));
    await copyEmptyFile(database);
  });
  afterEach(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  /** Saves synchronously, so that a watcher in this process never sees the file empty. */
  const save = async (file: string, text: string) => writeFileSync(join(folder, file), text);

  /** Starts the command with `--json`. The returned function waits until there are this many rounds, and returns all rounds. */
  const develop = (name: string, ...words: string[]) => {
    const started = startHere(['endpoint', 'dev', name, '--json', ...words], { environment, cwd: folder });
    let isOver = false;
    void started.ended.finally(() => {
      isOver = true;
    });
    const rounds = async (number: number): Promise<readonly Round[]> => {
      const lines = () => started.out().split('\n').slice(0, -1);
      await eventually(() => lines().length >= number || isOver);
      expect(lines(), started.err()).to.have.length(number);
      return lines().map((line) => JSON.parse(line) as Round);
    };
    return { ...started, rounds };
  };

  const stop = async (dev: ReturnType<typeof startHere>) => {
    dev.stop();
    return (await dev.ended).code;
  };

  it('tests each state of a file, from before it exists until it is deleted', async () => {
    const dev = develop('own/days.yaml');
    const failures = ({ ok, checks }: Round) => [ok, checks.filter((check) => !check.ok).map(({ name }) => name)];
    expect((await dev.rounds(1)).map(failures)).to.deep.equal([[false, ['the file does not exist']]]);
    await save('own/days.yaml', 'name: list-days\nsql: "SEL');
    const [, broken] = await dev.rounds(2);
    expect(broken?.checks.map(({ name }) => name).join()).to.match(/days\.yaml:2:\d+ /);
    await save('own/days.yaml', DAYS);
    const [, , valid] = await dev.rounds(3);
    expect(valid?.rows).to.have.length(2);
    expect(valid?.warnings.map(({ rule }) => rule)).to.deep.equal(['no-data-as-of']);
    await rename(join(folder, 'own/days.yaml'), join(folder, 'own/other.yaml'));
    expect((await dev.rounds(4)).at(-1)).to.deep.include({ name: 'days.yaml', ok: false });
    expect(await stop(dev)).to.equal(0);
    expect(dev.err()).to.equal('');
  });

  it('prints nothing for a save that changes nothing', async () => {
    await save('own/days.yaml', DAYS);
    const dev = develop('list-days');
    await dev.rounds(1);
    await save('own/days.yaml', DAYS);
    await utimes(join(folder, 'own/days.yaml'), new Date('2020-02-02T02:02:02Z'), new Date('2020-02-02T02:02:02Z'));
    await save('own/unrelated.yaml', DAYS.replace('list-days', 'other').replace('/days/', '/other/'));
    await save('own/days.yaml', `${DAYS}# A note.\n`);
    const rounds = await dev.rounds(2);
    expect(rounds.map(({ ok }) => ok)).to.deep.equal([true, true]);
    expect(await stop(dev)).to.equal(0);
  });

  for (const place of ['own', 'elsewhere']) {
    it(`tests again when a shared file changes (${place})`, async () => {
      await mkdir(join(folder, place), { recursive: true });
      await save(`${place}/days.shared.yaml`, viewOf('2000-01-02'));
      await save(`${place}/days.yaml`, OF_VIEW);
      const dev = develop(`${place}/days.yaml`);
      await dev.rounds(1);
      await save(`${place}/days.shared.yaml`, viewOf('2000-01-04'));
      expect((await dev.rounds(2)).map(({ rows }) => rows.length)).to.deep.equal([1, 3]);
      expect(await stop(dev)).to.equal(0);
    });
  }

  it('follows a named definition to another file', async () => {
    await save('own/days.yaml', DAYS);
    const dev = develop('list-days');
    await dev.rounds(1);
    await rename(join(folder, 'own/days.yaml'), join(folder, 'own/moved.yaml'));
    await save('own/moved.yaml', DAYS.replace('01-03', '01-04'));
    await eventually(() => dev.out().includes('"day":"2000-01-03"'));
    expect(dev.out()).to.include('own/moved.yaml');
    expect(await stop(dev)).to.equal(0);
  });

  it('aborts the tests of an older state', async () => {
    await save('own/days.yaml', SLOW);
    const before = await inotifyWatches();
    const dev = startHere(['endpoint', 'dev', 'own/days.yaml', '--json'], { environment, cwd: folder });
    await eventually(async () => (await inotifyWatches()) > before);
    await save('own/days.yaml', DAYS);
    await eventually(() => dev.out().includes('\n'));
    const [first, ...others] = dev.out().trim().split('\n');
    expect([(JSON.parse(first ?? '') as Round).rows.length, others]).to.deep.equal([2, []]);
    expect(await stop(dev)).to.equal(0);
  });

  it('prints the time of the save, the results and one last line for people', async () => {
    await save('days.yaml', DAYS);
    await utimes(join(folder, 'days.yaml'), new Date('2020-02-02T02:02:02Z'), new Date('2020-02-02T02:02:02Z'));
    const dev = startHere(['endpoint', 'dev', 'days.yaml'], { environment, cwd: folder });
    await eventually(() => /^(ok|failed) \(\d+ ms\)\n/m.test(dev.out()));
    expect(dev.out()).to.match(
      /^\ndays\.yaml, saved 2020-02-02 02:02:02 UTC\nok list-days \(.*\n[\s\S]*2000-01-02[\s\S]*\nwarning: .*\nok \(\d+ ms\)\n$/,
    );
    expect(dev.err()).to.match(/^1 endpoint, \d+ checks, 0 failed, coverage 100 %, [\d.]+ s\n$/);
    expect(await stop(dev)).to.equal(0);
  });

  it('rejects unknown names, folders and files that cannot contain a definition', async () => {
    const errorOf = async (name: string) => {
      const { code, out, err } = await run(['endpoint', 'dev', name], { environment, cwd: folder });
      return [code, out, err.replaceAll(folder, '…')];
    };
    await save('parts.shared.yaml', viewOf('2000-01-02'));
    const wrong = ['list-collection', './own', 'own/days.sql', 'parts.shared.yaml'];
    const errors = [];
    for (const name of wrong) errors.push(await errorOf(name));
    const [unknown, ...others] = errors;
    expect(unknown?.join()).to.match(/^2,,.*list-collection.*did you mean.*`endpoint list` lists all names\.\n$/);
    expect(others).to.deep.equal([
      [2, '', './own is not a file (from …).\n'],
      [2, '', 'Expected a file name that ends with .yaml, .yml or .json, got own/days.sql.\n'],
      [2, '', '…/parts.shared.yaml contains no definition: it is a file of shared parts.\n'],
    ]);
  });

  it('works in the service that holds the database, and leaves nothing there when the caller disconnects', async () => {
    const before = await inotifyWatches();
    const server = await serveHere(environment);
    expect(await inotifyWatches()).to.equal(before);
    await save('own/days.yaml', DAYS);
    const one = develop('own/days.yaml');
    const other = develop('own/days.yaml');
    await one.rounds(1);
    await other.rounds(1);
    expect(await inotifyWatches()).to.be.greaterThan(before);
    await save('own/days.yaml', SLOW);
    expect(await stop(one)).to.equal(0);
    expect(await stop(other)).to.equal(0);
    await eventually(async () => (await inotifyWatches()) === before);
    const again = await run(['endpoint', 'list', '--json'], { environment });
    expect(again.code).to.equal(0);
    const last = develop('own/days.yaml');
    await eventually(async () => (await inotifyWatches()) > before);
    expect((await server.close()).code).to.equal(0);
    expect((await last.ended).code).to.equal(2);
  });
});

/** Returns the number of files and folders that this process watches. */
async function inotifyWatches(): Promise<number> {
  const folder = '/proc/self/fdinfo';
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return texts
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('inotify ')).length;
}

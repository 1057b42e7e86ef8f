import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { createPlan, type DemoOptions, type DemoProgress } from '../../demo/demo-plan.js';
import { generateDemo } from '../../demo/generate-demo.js';
import { readEvents } from './read-events.js';

const NOW = new Date('2026-03-05T16:20:30Z');

describe('generateDemo', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'demo-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  const generate = (options: Partial<DemoOptions>, folder = '.') =>
    generateDemo({ now: NOW, events: 5_000, ...options, directory: join(directory, folder) });

  const digest = async (folder: string) => {
    const hash = createHash('sha256');
    for (const name of (await readdir(join(directory, folder))).sort()) {
      hash.update(name).update(await readFile(join(directory, folder, name)));
    }
    return hash.digest('hex');
  };

  it('writes the same bytes for the same options and other bytes for another seed', async () => {
    const first = await generate({ events: 1_500, seed: 7 }, 'first');
    const again = await generate({ events: 1_500, seed: 7 }, 'again');
    await generate({ events: 1_500, seed: 8 }, 'other');
    expect(again.collections).to.deep.equal(first.collections);
    expect(await digest('again')).to.equal(await digest('first'));
    expect(await digest('other')).not.to.equal(await digest('first'));
  });

  it('writes a file per month and returns what it wrote', async () => {
    const demo = await generate({});
    expect(demo.files.map((file) => basename(file))).to.deep.equal([
      'demo-2025-11.json.gz',
      'demo-2025-12.json.gz',
      'demo-2026-01.json.gz',
      'demo-2026-02.json.gz',
      'demo-2026-03.json.gz',
    ]);
    expect((await readdir(directory)).sort()).to.deep.equal(
      [...demo.files, demo.peopleFile, demo.repositoriesFile].map((file) => basename(file)).sort(),
    );
    const { events, repositories, people } = demo;
    expect({ events, repositories, people }).to.deep.equal({ events: 5_000, repositories: 24, people: 500 });
    expect(readEvents(demo.files)).to.have.lengthOf(5_000);
  });

  it('writes a file per day when days are busy', async () => {
    const demo = await generate({ events: 15_000, days: 2, repositories: 24, people: 1_000 });
    expect(demo.files.map((file) => basename(file))).to.deep.equal([
      'demo-2026-03-03.json.gz',
      'demo-2026-03-04.json.gz',
      'demo-2026-03-05.json.gz',
    ]);
  });

  it('scales the number of repositories and people with the events', () => {
    const { events, repositories, people } = createPlan({ directory, now: NOW, events: 90_000, days: 120 });
    expect({ events, repositories, people }).to.deep.equal({ events: 90_000, repositories: 36, people: 6_000 });
  });

  it('orders events by time and id, from the first day to now', async () => {
    const events = readEvents((await generate({ days: 30 })).files);
    const times = events.map((event) => event.created_at);
    expect(times).to.deep.equal([...times].sort());
    expect(times[0]?.slice(0, 10)).to.equal('2026-02-03');
    expect(times.at(-1)).to.satisfy((last: string) => last > '2026-03-05T15' && last <= '2026-03-05T16:20:30Z');
    const ids = events.map((event) => Number(event.id));
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id))).to.equal(true);
  });

  it('fills a last day of one second with one event of each necessary kind', async () => {
    const events = readEvents((await generate({ now: new Date('2026-03-05T00:00:00Z') })).files);
    const last = events.filter((event) => event.created_at.startsWith('2026-03-05'));
    expect(last.map((event) => event.type)).to.have.members(['WatchEvent', 'IssuesEvent', 'PullRequestEvent']);
    expect(new Set(last.map((event) => event.created_at))).to.deep.equal(new Set(['2026-03-05T00:00:00Z']));
  });

  it('reports its progress after every day', async () => {
    const reports: DemoProgress[] = [];
    await generate({ days: 3, onProgress: (progress) => reports.push(progress) });
    expect(reports.map(({ day }) => day)).to.deep.equal(['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']);
    expect(reports.at(-1)).to.deep.equal({ events: 5_000, total: 5_000, day: '2026-03-05' });
  });

  it('stops when the signal aborts and leaves no unfinished file', async () => {
    const stop = new AbortController();
    const onProgress = ({ day }: DemoProgress) => {
      if (day === '2025-12-24') stop.abort(new Error('enough'));
    };
    const failure = await generate({ onProgress, signal: stop.signal }).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'enough');
    expect(await readdir(directory)).to.deep.equal(['demo-2025-11.json.gz']);
  });

  it('rejects an option out of range by name', async () => {
    const messageOf = async (options: Partial<DemoOptions>) =>
      generate(options).then(
        () => 'no error',
        (error: Error) => error.message,
      );
    expect(await messageOf({ events: 0 })).to.equal('demo: expected events to be an integer of at least 1, got 0');
    expect(await messageOf({ repositories: 2 })).to.equal(
      'demo: expected repositories to be an integer of at least 6, got 2',
    );
    expect(await messageOf({ days: 1.5 })).to.equal('demo: expected days to be an integer of at least 1, got 1.5');
    expect(await messageOf({ now: new Date('no date') })).to.equal('demo: expected now to be a date, got Invalid Date');
    expect(await readdir(directory)).to.deep.equal([]);
  });
});

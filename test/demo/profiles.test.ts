import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Demo, generateDemo } from '../../demo/generate-demo.js';
import type { DemoPerson, DemoRepository } from '../../demo/profiles.js';
import { LANGUAGES } from '../../demo/world/repositories.js';
import { readEvents, readLines } from './read-events.js';

const NOW = new Date('2026-03-05T16:20:30Z');

describe('profiles of the demo', () => {
  let directory: string;
  let demo: Demo;
  let people: DemoPerson[];
  let repositories: DemoRepository[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'demo-'));
    demo = await generateDemo({ directory, now: NOW, events: 12_000, repositories: 120, people: 5_000 });
    people = readLines(demo.peopleFile);
    repositories = readLines(demo.repositoriesFile);
  });

  after(() => rm(directory, { recursive: true }));

  it('contain every actor and owner with unique ids and logins', () => {
    const ids = new Set(people.map((person) => person.id));
    expect(ids.size).to.equal(people.length);
    expect(new Set(people.map((person) => person.login.toLowerCase())).size).to.equal(people.length);
    const events = readEvents(demo.files);
    expect(events.filter((event) => !ids.has(event.actor.id))).to.deep.equal([]);
    expect(events.filter((event) => event.org !== undefined && !ids.has(event.org.id))).to.deep.equal([]);
    expect(Math.max(...ids)).to.be.lessThan(2 ** 31);
  });

  it('contain the country of about 60 % of people', () => {
    const users = people.filter((person) => person.type === 'User');
    const placed = users.filter((person) => person.country_code !== null);
    expect(placed.length / users.length).to.be.within(0.57, 0.63);
    expect(new Set(placed.map((person) => person.country_code)).size).to.equal(40);
    expect(placed.every((person) => person.location !== null)).to.equal(true);
  });

  it('contain the organization of about a third of people in different spellings', () => {
    const companies = people.flatMap((person) => (person.company === null ? [] : [person.company]));
    const normalize = (company: string) => company.trim().replace(/^@/, '').toLowerCase();
    const named = companies.filter((company) => !['', 'n/a', 'none'].includes(normalize(company)));
    expect(named.length / people.length).to.be.within(0.32, 0.38);
    expect(new Set(named.map(normalize)).size).to.equal(25);
    expect(new Set(named).size).to.be.greaterThan(75);
    expect(companies).to.include.members(['n/a', 'none', '@', ' ', '@Tidewheel', 'Tidewheel ', 'TIDEWHEEL']);
  });

  it('contain repositories in their state after the last event, described as synthetic', () => {
    expect(repositories).to.have.lengthOf(120);
    const deleted = repositories.filter((repository) => repository.is_deleted);
    expect(deleted).to.have.lengthOf(1);
    const names = new Map(readEvents(demo.files).map((event) => [event.repo.id, event.repo.name]));
    expect(new Map(repositories.map(({ repo_id, repo_name }) => [repo_id, repo_name]))).to.deep.equal(names);
    expect(repositories.every(({ description }) => description.includes('synthetic'))).to.equal(true);
    expect(new Set(repositories.map((repository) => repository.primary_language)).size).to.equal(LANGUAGES.length);
  });

  it('form twelve collections of six to fifteen repositories, one of them not public', () => {
    const { collections } = demo;
    expect(collections).to.have.lengthOf(12);
    expect(collections.filter((collection) => !collection.public)).to.have.lengthOf(1);
    expect(collections.map(({ items }) => items.length).every((size) => size >= 6 && size <= 15)).to.equal(true);
    const alive = new Map(
      repositories.filter((repository) => !repository.is_deleted).map(({ repo_id, repo_name }) => [repo_id, repo_name]),
    );
    const items = collections.flatMap((collection) => collection.items);
    expect(items.filter(({ repo_id, repo_name }) => alive.get(repo_id) !== repo_name)).to.deep.equal([]);
    expect(new Set(items.map((item) => item.repo_id)).size).to.be.lessThan(items.length);
  });
});

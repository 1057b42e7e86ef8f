import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAccountCandidates } from '../../github/enrichment/candidates.js';
import { USERS } from '../../github/enrichment/profile-target.js';
import { storeProfiles } from '../../github/enrichment/store-profiles.js';
import { storeCollections } from '../../warehouse/collections.js';
import { readCoverage } from '../../warehouse/coverage.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { describeEmbeddedOnly } from './embedded-only.js';
import { interruptedImport } from './interrupted-import.js';
import { madeId } from './oracle-events.js';
import type { Rows } from './oracle-tables.js';
import { noticesBy } from './provisional-notices.js';
import { IMPORT_STEPS } from './store-steps.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const [ADA, BEN, NEW_BEN, CLEO, OTHER] = [11, 21, 22, 31, 41];
const LIB = 101;

interface Line {
  readonly at: string;
  readonly type?: 'WatchEvent' | 'IssuesEvent' | 'PullRequestEvent' | 'ForkEvent';
  readonly repo?: string;
  readonly repoId?: number;
  readonly login: string;
  readonly number?: number;
  readonly place?: string;
}

const payloadOf = ({ type, number = 1 }: Line): object => {
  if (type === 'IssuesEvent') return { action: 'opened', number, issue: number + 1000 };
  if (type === 'PullRequestEvent') return { action: 'opened', number, pull_request: { id: number + 2000, number } };
  return { action: 'started' };
};

/** Returns a line of 2012 to 2014, in which the actor is a login. */
const loginLine = (line: Line) =>
  JSON.stringify({
    created_at: line.at,
    type: line.type ?? 'WatchEvent',
    actor: line.login,
    actor_attributes: { login: line.login, type: 'User', location: line.place ?? '', email: 'one@example.org' },
    repository: { ...(line.repoId !== undefined && { id: line.repoId }), owner: 'x', name: line.repo ?? 'lib' },
    payload: payloadOf(line),
  });

/** Returns a line since 2015, in which the actor has an id. `payload` can contain more accounts. */
const idLine = (line: Line & { readonly id: number; readonly payload?: object }) =>
  JSON.stringify({
    id: String(Date.parse(line.at) / 1000),
    created_at: line.at,
    type: line.type ?? 'WatchEvent',
    actor: { id: line.id, login: line.login },
    repo: { id: line.repoId ?? LIB, name: `x/${line.repo ?? 'lib'}` },
    payload: line.payload ?? payloadOf(line),
  });

/** The account BEN had the login ben before 2013-06, and NEW_BEN since 2014. CLEO is only the author of a comment. */
const HOURS: Readonly<Record<string, readonly string[]>> = {
  logins: [
    loginLine({ at: '2013-01-01T00:00:01Z', login: 'Ada', repoId: LIB, place: 'Paris, France' }),
    loginLine({ at: '2013-01-01T00:00:02Z', login: 'ada', repoId: LIB, type: 'IssuesEvent' }),
    loginLine({ at: '2013-01-01T00:00:03Z', login: 'ada', repoId: LIB, type: 'PullRequestEvent', number: 2 }),
    loginLine({ at: '2013-01-01T00:00:04Z', login: 'ada', repoId: LIB, type: 'ForkEvent' }),
    loginLine({ at: '2013-01-01T00:00:05Z', login: 'ben', repoId: LIB, place: 'Oslo, Norway' }),
    loginLine({ at: '2013-01-01T00:00:06Z', login: 'cleo', repoId: LIB, type: 'IssuesEvent', number: 3 }),
    loginLine({ at: '2013-01-01T00:00:07Z', login: 'dora', repoId: LIB, place: 'Rome, Italy' }),
    // The repository is also known only by name.
    loginLine({ at: '2013-01-01T00:00:08Z', login: 'ada', repo: 'named', type: 'IssuesEvent' }),
  ],
  more: [
    loginLine({ at: '2014-11-01T00:00:01Z', login: 'ben', repoId: LIB, place: 'Lima, Peru' }),
    loginLine({
      at: '2014-11-01T00:00:02Z',
      login: 'ben',
      repoId: LIB,
      type: 'IssuesEvent',
      number: 5,
      place: 'Lima, Peru',
    }),
    loginLine({
      at: '2014-11-01T00:00:03Z',
      login: 'ada',
      repoId: LIB,
      type: 'PullRequestEvent',
      number: 2,
      place: 'Paris, France',
    }),
  ],
  early: [
    idLine({ at: '2012-02-01T00:00:00Z', login: 'ben', id: BEN }),
    idLine({ at: '2013-06-01T00:00:00Z', login: 'ben', id: BEN, type: 'IssuesEvent', number: 4 }),
    idLine({ at: '2015-01-02T00:00:00Z', login: 'ben-before', id: BEN }),
  ],
  ids: [
    idLine({ at: '2015-01-01T00:00:01Z', login: 'ada', id: ADA }),
    idLine({ at: '2015-01-01T00:00:02Z', login: 'ada-new', id: ADA, repo: 'named', repoId: 102 }),
    idLine({ at: '2014-01-01T00:00:03Z', login: 'BEN', id: NEW_BEN }),
    idLine({
      at: '2015-01-01T00:00:04Z',
      login: 'other',
      id: OTHER,
      type: 'IssuesEvent',
      payload: { action: 'closed', issue: { id: 1, number: 9 }, comment: { id: 5, user: { id: CLEO, login: 'Cleo' } } },
    }),
  ],
};
const NAMES = Object.keys(HOURS);
const ORDERS = [
  ['logins', 'ids', 'more', 'early'],
  ['ids', 'early', 'more', 'logins'],
] as const;

onEveryDatabase('events with a login and no account id', (make) => {
  let clean: TestWarehouse;
  let expected: Record<string, Rows>;

  const write = async ({ folder }: TestWarehouse, names: readonly string[]) => {
    const files = names.map((name) => join(folder, `${name}.json`));
    for (const [index, name] of names.entries()) {
      await writeFile(files[index] ?? '', (HOURS[name] ?? []).map((line) => `${line}\n`).join(''));
    }
    return files;
  };
  const inOther = async (work: (other: TestWarehouse) => Promise<void>) => {
    const other = await make();
    try {
      await work(other);
    } finally {
      await other.close();
    }
  };

  before(async () => {
    clean = await make();
    await clean.import(await write(clean, NAMES));
    expected = await clean.everything();
  });
  after(() => clean.close());

  it('belong to the account with that login, and of two to the one with the nearest time', async () => {
    const rows = await clean.rows(
      'SELECT actor_login, DATE(created_at), actor_id, COUNT(*) FROM github_events WHERE provisional_actor_id < 0 GROUP BY actor_login, DATE(created_at), actor_id',
    );
    expect(rows).to.have.deep.members([
      ['Ada', '2013-01-01', String(ADA), '1'],
      ['ada', '2013-01-01', String(ADA), '4'],
      ['ada', '2014-11-01', String(ADA), '1'],
      ['ben', '2013-01-01', String(BEN), '1'],
      ['ben', '2014-11-01', String(NEW_BEN), '2'],
      ['cleo', '2013-01-01', String(CLEO), '1'],
      ['dora', '2013-01-01', String(madeId('dora')), '1'],
    ]);
  });

  it('count once with those that have an id, in every derived table', async () => {
    expect({
      stars: await clean.rows(`SELECT user_id, day FROM mv_repo_stars WHERE repo_id = ${LIB}`),
      issues: await clean.rows(`SELECT user_id, issues FROM mv_repo_issue_creators WHERE repo_id = ${LIB}`),
      pullRequests: await clean.rows('SELECT user_id, prs FROM mv_repo_pull_request_creators'),
      forks: await clean.rows('SELECT user_id FROM mv_repo_forks'),
      named: await clean.rows('SELECT user_id FROM mv_repo_people WHERE repo_id = 102'),
    }).to.deep.equal({
      stars: [
        [String(madeId('dora')), '2013-01-01'],
        ['11', '2013-01-01'],
        ['11', '2015-01-01'],
        ['21', '2012-02-01'],
        ['21', '2013-01-01'],
        ['21', '2015-01-02'],
        ['22', '2014-01-01'],
        ['22', '2014-11-01'],
      ],
      issues: [
        ['11', '1'],
        ['21', '1'],
        ['22', '1'],
        ['31', '1'],
      ],
      pullRequests: [['11', '1']],
      forks: [['11']],
      named: [['11']],
    });
  });

  it('give the account their profile: all to the account of the newest of them', async () => {
    const rows = await clean.rows('SELECT id, login, address, country_code FROM github_users WHERE id <> 0');
    expect(rows).to.deep.equal([
      [String(madeId('dora')), 'dora', 'Rome, Italy', 'IT'],
      ['11', 'ada-new', 'Paris, France', 'FR'],
      ['21', 'ben-before', '', 'N/A'],
      ['22', 'ben', 'Lima, Peru', 'PE'],
      ['31', 'Cleo', '', 'N/A'],
      ['41', 'other', '', 'N/A'],
    ]);
  });

  it(`give the same rows in the order ${ORDERS[0].join(', ')}, also after an interruption and a full refresh`, () =>
    inOther(async (other) => {
      for (const [index, file] of (await write(other, ORDERS[0])).entries()) {
        if (index === 1) await interruptedImport(other, [file], { step: IMPORT_STEPS.betweenDerivedTables });
        await other.import([file]);
      }
      expect(await other.everything()).to.deep.equal(expected);
      await refreshFull(other.store);
      expect(await other.everything()).to.deep.equal(expected);
    }));

  describeEmbeddedOnly(make, () => {
    it(`give the same rows in the order ${ORDERS[1].join(', ')} in batches of one event, after an interruption, and when repeated`, () =>
      inOther(async (other) => {
        const files = await write(other, ORDERS[1]);
        await interruptedImport(other, files, { step: IMPORT_STEPS.beforeCommit, time: 4 });
        await other.import(files, { batchEvents: 1 });
        expect(await other.everything()).to.deep.equal(expected);
        await other.import(await write(other, ORDERS[0]), { again: true });
        expect(await other.everything()).to.deep.equal(expected);
      }));

    describe('together with profiles of GitHub', () => {
      let other: TestWarehouse;
      const seen: Record<string, unknown> = {};
      const known = async () => (await readCoverage(other.database)).provisional.accounts;

      before(async () => {
        other = await make();
        const [logins = '', early = '', ids = ''] = await write(other, ['logins', 'early', 'ids']);
        await other.import([logins]);
        const candidates = createAccountCandidates(other.database);
        seen.candidates = [await candidates.count('2030-01-01'), await candidates.first('2030-01-01', 10)];
        seen.before = await known();
        await other.import([early]);
        const ben = { id: BEN, location: 'Bonn', company: 'acme' };
        await storeProfiles(other.store, USERS, [ben], '2026-01-01 00:00:00');
        await other.import([ids]);
        seen.after = await known();
        seen.ben = await other.rows(`SELECT address, organization_formatted FROM github_users WHERE id = ${BEN}`);
        const ada = { id: ADA, location: 'Bonn', country_code: 'DE' };
        await storeProfiles(other.store, USERS, [ada], '2026-01-01 00:00:00');
        const star = join(other.folder, 'star.json');
        await writeFile(
          star,
          idLine({ at: '2026-02-01T00:00:00Z', login: 'ada-new', id: ADA, repo: 'other', repoId: 103 }),
        );
        await other.import([star]);
        seen.ada = await other.rows(`SELECT address, country_code, email FROM github_users WHERE id = ${ADA}`);
      });
      after(() => other.close());

      it('are not candidates for the profiles', () => {
        expect(seen.candidates).to.deep.equal([0, []]);
      });

      it('appear in the status until an event has the id of the login', () => {
        expect([seen.before, seen.after]).to.deep.equal([
          { count: 4, events: 8 },
          { count: 1, events: 1 },
        ]);
      });

      it('do not change facts from GitHub that are newer than the newest event', () => {
        expect(seen.ben).to.deep.equal([['Bonn', 'acme']]);
      });

      it('do not change the profile that GitHub sent when the account has a new event', () => {
        expect(seen.ada).to.deep.equal([['Bonn', 'DE', 'one@example.org']]);
      });
    });

    it('change the stars of a repository when they move to another account', () =>
      inOther(async (other) => {
        const files = ['first', 'second'].map((name) => join(other.folder, `${name}.json`));
        const lines = [
          [
            idLine({ at: '2012-01-01T00:00:00Z', login: 'ada', id: ADA, repo: 'other', repoId: 103 }),
            loginLine({ at: '2013-01-01T00:00:00Z', login: 'ada', repoId: LIB }),
            loginLine({ at: '2014-11-01T00:00:00Z', login: 'ada', repoId: LIB }),
          ],
          [idLine({ at: '2015-01-01T00:00:00Z', login: 'ada', id: OTHER, repo: 'other', repoId: 103 })],
        ];
        for (const [index, file] of files.entries()) {
          await writeFile(file, (lines[index] ?? []).join('\n'));
          await other.import([file]);
        }
        expect(await other.rows(`SELECT stars FROM github_repos WHERE repo_id = ${LIB}`)).to.deep.equal([['2']]);
      }));

    it('have an id that is derived from the login if the payload has a negative one; forks alone give a notice', () =>
      inOther(async (other) => {
        const file = join(other.folder, 'negative.json');
        const payload = { action: 'created', comment: { id: 5, user: { id: -7, login: 'eve' } } };
        const line = { created_at: '2013-01-01T00:00:00Z', type: 'CommitCommentEvent', actor: 'eve', payload };
        const lines = [
          JSON.stringify({ ...line, repository: { id: 102, owner: 'x', name: 'named' } }),
          loginLine({ at: '2013-01-01T00:00:00Z', login: 'ada', repoId: LIB, type: 'ForkEvent' }),
        ];
        await writeFile(file, lines.join('\n'));
        await other.import([file]);
        expect(await other.rows('SELECT actor_id FROM github_events')).to.have.deep.members([
          [String(madeId('eve'))],
          [String(madeId('ada'))],
        ]);
        expect(await other.rows('SELECT id FROM github_users WHERE id = -7')).to.deep.equal([]);
        const notices = await noticesBy(other, '/v1/repos/', () => ({ owner: 'x', repo: 'lib' }), [''], /^People/);
        expect(notices.flat().filter((notice) => notice?.includes(': 1.')).length).to.equal(11);
      }));

    it('appear in a notice of each answer that can contain them', async () => {
      await storeCollections(clean.store, [
        { id: 1, name: 'One', items: [{ repo_name: 'x/lib' }, { repo_name: 'x/named' }] },
      ]);
      const ofRepository = await noticesBy(
        clean,
        '/v1/repos/',
        (repo) => ({ owner: 'x', repo }),
        ['lib', 'named'],
        /^People/,
      );
      const people = (where: string) =>
        `People of ${where} that are known only by login, because the import found no id for them: 1. Events of the same people ` +
        'under other logins are counted separately.';
      expect(ofRepository).to.deep.equal(Array(11).fill([people('this repository'), undefined]));
      const ofCollections = await noticesBy(
        clean,
        '/v1/collections/{',
        () => ({ collection_id: '1' }),
        [''],
        /^People/,
      );
      expect(ofCollections).to.deep.equal(Array(4).fill([people('these repositories (counted in each)')]));
      const hot = await noticesBy(clean, '/v1/collections/hot', () => ({}), [''], /^People/);
      expect(hot).to.deep.equal([[people('these repositories (counted in each)')]]);
    });
  });
});

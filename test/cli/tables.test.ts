import { expect } from 'chai';
import { toTableDetails, toTableSummary } from '../../warehouse/reference/find-table.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { run } from './command-line.js';

describe('the command tables', () => {
  // The folder does not exist, and the command must not create it.
  const environment = { DATA_DIR: '/nonexistent/repo-insight' };
  const tables = (...words: string[]) => run(['tables', ...words], { environment, terminal: { columns: 120 } });

  it('lists every table with its meaning without a database', async () => {
    const { code, out, err } = await tables();
    expect([code, err]).to.deep.equal([0, '\n`repo-insight tables <name>` describes a table and its columns.\n']);
    const names = [...out.matchAll(/^(\w+) {2,}\S/gm)].map(([, name]) => name);
    expect(names).to.deep.equal([...TABLE_REFERENCE.keys()]);
    expect(out).to.contain('mv_repo_stars                  The days on which accounts starred a repository');
  });

  it('prints the list and a table as JSON', async () => {
    const list = JSON.parse((await tables('--json')).out) as unknown;
    expect(list).to.deep.equal(
      [...TABLE_REFERENCE].map(([name, table]) => ({ ...toTableSummary(name, table), isOwn: false })),
    );
    for (const [name, table] of TABLE_REFERENCE) {
      expect(JSON.parse((await tables(name, '--json')).out)).to.deep.equal({
        ...toTableDetails(name, table),
        isOwn: false,
      });
    }
  });

  it('describes a table in lines that fit the terminal', async () => {
    const { code, out } = await tables('Mv_Event_Coverage');
    expect(code).to.equal(0);
    expect(out).to.equal(COVERAGE);
    for (const name of TABLE_REFERENCE.keys()) {
      const long = (await tables(name)).out.split('\n').filter((line) => line.length > 120 || line !== line.trimEnd());
      expect(long, name).to.deep.equal([]);
    }
  });

  it('suggests the most similar name for an unknown table', async () => {
    expect(await tables('github_event')).to.deep.include({
      code: 2,
      out: '',
      err: 'There is no public table github_event (did you mean "github_events"?). `repo-insight tables` lists all tables.\n',
    });
  });
});

const COVERAGE = `table      mv_event_coverage
meaning    What the data contain: the events of each type and day.
rows       One row per type of event and day with an event of this type.
events     Every type of event.
since      The feed starts in 2011-02; the rows start with the first imported event.
freshness  Current after each batch of \`data import\`: the batch and these rows are one transaction.

type       VARCHAR(29)      Type of the events, as in \`github_events\`.
day        DATE             The day, in UTC.
events     BIGINT (events)  Number of events.
newest_at  DATETIME         Time of the newest event. The maximum is the time of the newest data.
hours      INT              Hours with events, as bits: bit h is 1 if hour h (0 to 23) has an event.

example:

  SELECT type, SUM(events) AS events, MAX(newest_at) AS newest
  FROM mv_event_coverage
  GROUP BY type
  ORDER BY events DESC, type LIMIT 10
`;

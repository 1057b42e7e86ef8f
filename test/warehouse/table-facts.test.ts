import { expect } from 'chai';
import { readTableFacts } from '../../warehouse/schema/table-facts.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';

describe('the facts about the tables', () => {
  it('have the type of every public column', async () => {
    const tables = await readTableFacts();
    const unknown = [...TABLE_REFERENCE].flatMap(([table, { columns }]) =>
      [...columns.keys()].filter((column) => {
        return (tables(table)?.columns.get(column)?.type ?? 'unknown') === 'unknown';
      }),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('have the keys, and the columns that can be NULL after all changes', async () => {
    const tables = await readTableFacts();
    expect(tables('github_repos')?.keys).to.deep.equal([['repo_id']]);
    expect(tables('collections')?.keys).to.deep.equal([['id'], ['name']]);
    expect(tables('mv_repo_people')?.keys).to.deep.equal([['repo_id', 'user_id']]);
    expect(tables('github_events')?.keys).to.deep.equal([]);
    const { columns } = tables('github_events') ?? {};
    expect(['type', 'created_at', 'repo_id', 'pr_merged'].map((name) => columns?.get(name))).to.deep.equal([
      { type: 'text', isNullable: false },
      { type: 'datetime', isNullable: false },
      { type: 'number', isNullable: true },
      { type: 'number', isNullable: true },
    ]);
    expect(tables('my_table')).to.equal(undefined);
  });
});

import { expect } from 'chai';
import type { FullScan } from '../../engine/authoring/index.js';
import { readFullScans } from '../../explorer/playground/full-scans.js';
import { RECORDED_PLANS } from './recorded-plans.js';

function scansOf(title: string, least: number): FullScan[] {
  const plan = RECORDED_PLANS.find((one) => one.title === title);
  if (plan === undefined) throw new Error(`There is no plan ${title}.`);
  const columns = plan.columns.map((name) => ({ name, type: 'VARCHAR' }));
  return readFullScans(plan.database, { columns, rows: plan.rows, more: false }, least);
}

/** Returns the full scans in a DuckDB plan. */
function duckdbScans(root: object, least: number): FullScan[] {
  const columns = ['explain_key', 'explain_value'].map((name) => ({ name, type: 'VARCHAR' }));
  return readFullScans('duckdb', { columns, rows: [['physical_plan', JSON.stringify([root])]], more: false }, least);
}

function operator(name: string, info: Readonly<Record<string, string>>, ...children: readonly object[]): object {
  return { name, children, extra_info: info };
}

const rows = (estimate: number) => ({ 'Estimated Cardinality': `${estimate}` });
const scan = (table: string, estimate: number) =>
  operator('SEQ_SCAN', { Table: `file.main.${table}`, ...rows(estimate) });

describe('the full scans of a plan', () => {
  it('are the scans of tables and of whole indexes on TiDB', () => {
    expect(scansOf('of TiDB, a join on equal columns', 9_990)).to.deep.equal([
      { table: 'github_repos_1', rows: 10_000 },
      { table: 'github_events_1', rows: 9_990 },
    ]);
    expect(scansOf('of TiDB, a join on equal columns', 10_000)).to.have.length(1);
  });

  it('are the large scans on DuckDB', () => {
    const join = (estimate: number) =>
      operator('HASH_JOIN', { 'Join Type': 'INNER', ...rows(estimate) }, scan('loaves', 5_000_000), scan('ovens', 20));
    expect(duckdbScans(operator('PROJECTION', rows(9), join(4_000_000)), 2_000_000)).to.deep.equal([
      { table: 'loaves', rows: 5_000_000 },
    ]);
    // In a join with few rows, most parts of the first table are skipped.
    expect(duckdbScans(join(300), 2_000_000)).to.deep.equal([]);
    expect(duckdbScans(operator('STREAMING_LIMIT', {}, scan('loaves', 5_000_000)), 2_000_000)).to.deep.equal([]);
    const counted = operator('UNGROUPED_AGGREGATE', {}, scan('loaves', 5_000_000));
    expect(duckdbScans(operator('STREAMING_LIMIT', {}, counted), 2_000_000)).to.have.length(1);
  });

  it('are unknown for a plan that cannot be read', () => {
    expect(readFullScans('duckdb', { columns: [], rows: [], more: false }, 0)).to.deep.equal([]);
  });
});

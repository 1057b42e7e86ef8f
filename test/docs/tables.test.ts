import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { guardSql } from '../../engine/sql/guard/guard-sql.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import type { MergedTable, RecomputedTable } from '../../warehouse/schema/derived-table.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { MERGED_TABLES, RECOMPUTED_TABLES } from '../../warehouse/tables/tables.js';
import { ROOT, readDocument } from './documents.js';
import { writeTableDocument } from './table-document.js';

const DOCUMENT = 'docs/tables.md';

describe('the table reference', () => {
  it('has the types of the migrations', async () => {
    const types = typesIn((await readMigrations()).flatMap(({ statements }) => statements));
    for (const [table, { columns }] of TABLE_REFERENCE) {
      const described = [...columns].map(([name, { type }]) => [name, type]);
      expect(described, table).to.deep.equal([...columns.keys()].map((name) => [name, types.get(`${table}.${name}`)]));
    }
  });

  it('has a description of every table and column, in sentences of limited length', () => {
    const texts = [...TABLE_REFERENCE].flatMap(([table, { description, columns }]) => [
      [table, description] as const,
      ...[...columns].map(([column, { description: text }]) => [`${table}.${column}`, text] as const),
    ]);
    const wrong = texts.filter(([, text]) => !/^[^|\n]{5,400}\.$/.test(text));
    expect(wrong).to.deep.equal([]);
  });

  it('has the rows, events, start, freshness and an example of every table', () => {
    for (const [name, { grain = '', events, since = '', freshness = '', example = '' }] of TABLE_REFERENCE) {
      expect(grain, name).to.match(/^[a-z].{1,100}[^.]$/);
      expect([since, freshness].filter((text) => !/^[A-Z][^|\n]{5,150}\.$/.test(text))).to.deep.equal([]);
      expect(
        events?.filter((type) => type !== '*' && !/^[A-Z]\w+Event$/.test(type)),
        name,
      ).to.deep.equal([]);
      expect(example.split('\n').filter((line) => line.length > 100)).to.deep.equal([]);
      expect([...guardSql(example, PUBLIC_TABLES).tables], name).to.include(name);
    }
  });

  it('names the events that the SELECT of each merged table reads, and other tables only events of their sources', () => {
    for (const table of MERGED_TABLES) {
      const { events = [] } = TABLE_REFERENCE.get(table.name) ?? {};
      expect([...events].sort(), table.name).to.deep.equal([...eventsOf(table)].sort());
    }
    for (const table of RECOMPUTED_TABLES) {
      const { events = [] } = TABLE_REFERENCE.get(table.name) ?? {};
      expect([...eventsOf(table)], table.name).to.include.members([...events]);
      expect(events, table.name).not.to.deep.equal([]);
    }
  });

  it('has a unit for every number except ids, ranks, flags and numbers of issues', () => {
    const columns = [...TABLE_REFERENCE].flatMap(([table, { columns }]) =>
      [...columns].map(([name, { type, unit }]) => ({
        at: `${table}.${name}`,
        isNumber: /^(INT|BIGINT|DECIMAL)/.test(type),
        unit,
      })),
    );
    expect(columns.filter(({ isNumber, unit }) => !isNumber && unit !== undefined)).to.deep.equal([]);
    const without = columns.filter(({ isNumber, unit }) => isNumber && unit === undefined).map(({ at }) => at);
    expect(without.filter((at) => !/(\.id|_id|rank|\.number|event_year)$/.test(at))).to.deep.equal([
      'mv_event_coverage.hours',
    ]);
  });

  it('names tables and columns that exist, in code of the form `table.column`', () => {
    const text = JSON.stringify([...TABLE_REFERENCE].map(([, table]) => [table.description, [...table.columns]]));
    const named = [...text.matchAll(/`([a-z_]+)\.([a-z_]+)`/g)].map(([, table = '', column = '']) => [table, column]);
    expect(named.length).to.be.greaterThan(10);
    expect(named.filter(([table = '', column = '']) => !TABLE_REFERENCE.get(table)?.columns.has(column))).to.deep.equal(
      [],
    );
  });

  it('contains no private data', () => {
    expect([...TABLE_REFERENCE.keys()].filter((table) => PRIVATE_DATA.isPrivateTable(table))).to.deep.equal([]);
    for (const [table, columns] of Object.entries(PRIVATE_DATA.columns)) {
      expect(columns.filter((column) => TABLE_REFERENCE.get(table)?.columns.has(column))).to.deep.equal([]);
    }
  });

  it('is the source of the public tables', () => {
    const expected = [...TABLE_REFERENCE].map(([name, { columns, where }]) => {
      return [name, where === undefined ? { columns: [...columns.keys()] } : { columns: [...columns.keys()], where }];
    });
    expect([...PUBLIC_TABLES]).to.deep.equal(expected);
  });

  it(`is the source of ${DOCUMENT}`, () => {
    const written = writeTableDocument();
    if (process.env.UPDATE_TABLES === '1') writeFileSync(ROOT + DOCUMENT, written);
    expect(readDocument(DOCUMENT)).to.equal(written);
  });
});

/** Returns the event types in the SELECT of a table and of the tables that it reads; `*` if a SELECT has no condition on the type. */
function eventsOf(table: MergedTable | RecomputedTable): ReadonlySet<string> {
  if ('from' in table) return new Set(table.from.flatMap((source) => [...eventsOf(source)]));
  const types = table.select('github_events').match(/(?<=')[A-Z]\w+Event(?=')/g);
  return new Set(types ?? ['*']);
}

/** Returns the final type of each column after all statements, by `table.column`. */
function typesIn(statements: readonly string[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const sql of statements) {
    const table = /\b(?:CREATE|ALTER) TABLE (?:IF NOT EXISTS )?(\w+)/.exec(sql)?.[1];
    if (table === undefined) continue;
    for (const [, column = '', type = ''] of sql.matchAll(COLUMN)) types.set(`${table}.${column}`, type);
  }
  return types;
}

const COLUMN = /(?:^\s*|\b(?:MODIFY|ADD) COLUMN )(\w+) ([A-Z]+(?:\([\d, ]+\))?)(?= |,|$)/gm;

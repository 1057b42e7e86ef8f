import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
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

/** The last type of each column, by `table.column`. */
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

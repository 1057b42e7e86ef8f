import { expect } from 'chai';
import { proposeColumns } from '../../../engine/authoring/propose/propose-columns.js';
import { findColumnMismatch } from '../../../engine/authoring/verify/verify-endpoint.js';
import type { DataType } from '../../../engine/databases/interface/data-types.js';
import type { Cell } from '../../../engine/index.js';
import { readOutline } from '../../../engine/index.js';

const compare = (declared: DataType, got: DataType, cells: readonly Cell[]) =>
  findColumnMismatch(
    { col: 'x', data_type: declared, nullable: true, description: 'X' },
    { name: 'x', type: got },
    cells,
  );

describe('the declared type of a column', () => {
  it('can be any type of bytes for bytes', () => {
    for (const declared of ['TINYBLOB', 'BLOB', 'MEDIUMBLOB', 'LONGBLOB', 'VARBINARY'] as const) {
      expect(compare(declared, 'BLOB', ['0x00']), declared).to.equal(undefined);
      expect(compare(declared, 'VARCHAR', ['a']), declared).to.deep.equal({ expected: declared, got: 'VARCHAR' });
    }
  });

  it('can be an integer if the database returns only whole numbers', () => {
    expect(compare('INT', 'DECIMAL', [null, '-12', 7, 2n ** 70n])).to.equal(undefined);
    for (const cells of [['1.0'], ['1', '2.5'], [], [null]]) {
      expect(compare('INT', 'DECIMAL', cells)).to.deep.equal({ expected: 'INT', got: 'DECIMAL' });
    }
  });
});

describe('the proposed columns of a SELECT WITH ROLLUP', () => {
  it('can be NULL in subtotals, also if the server describes them as never NULL', () => {
    const known = { hasColumn: () => true, isNotNull: () => true };
    const nullableOf = (sql: string) => {
      const { outputs } = readOutline(sql, known);
      const described = outputs.map(({ name }) => ({ name: String(name), type: 'INT' as const, nullable: false }));
      return proposeColumns(described, outputs, new Map()).columns.map(({ nullable }) => nullable);
    };
    const select =
      "SELECT kind, LEFT(kind, 1) AS k, COALESCE(kind, 'all') AS c, COUNT(*) AS n, MIN(id) AS m FROM loaves GROUP BY kind";
    expect(nullableOf(select)).to.deep.equal([false, false, false, false, false]);
    expect(nullableOf(`${select} WITH ROLLUP`)).to.deep.equal([true, true, false, false, false]);
    const outer = `SELECT kind, n FROM (SELECT kind, COUNT(*) AS n FROM loaves GROUP BY kind WITH ROLLUP) t`;
    expect(readOutline(outer, known).outputs.map(({ isNeverNull }) => isNeverNull)).to.deep.equal([false, true]);
  });
});

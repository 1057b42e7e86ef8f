import { expect } from 'chai';
import { guardSql } from '../../warehouse/playground/guard-sql.js';
import { SqlRefusedError } from '../../warehouse/playground/refusal.js';
import { ATTACKS } from './attacks.js';
import { HONEST_QUERIES } from './honest-queries.js';

describe('the guard of the playground', () => {
  for (const [sql, position, reason] of ATTACKS) {
    it(`refuses ${JSON.stringify(sql)}`, () => {
      expect(refusalOf(sql)).to.deep.equal({ position, reason });
    });
  }

  const large: readonly (readonly [string, string, string])[] = [
    ['10,000 parentheses', `SELECT ${nested('(', '1', ')', 10_000)}`, 'the SQL has 20008 characters'],
    ['33 parentheses', `SELECT ${nested('(', '1', ')', 33)}`, 'more than 32 parentheses stand within each other'],
    ['40 calls within calls', `SELECT ${nested('ABS(', '1', ')', 40)}`, 'more than 32 parentheses'],
    ['2,000 NOT', `SELECT ${'NOT '.repeat(2_000)}1`, 'it is too long or nested too deeply to be read'],
    ['2,000 minus signs', `SELECT ${'- '.repeat(2_000)}1`, 'it is too long or nested too deeply to be read'],
    ['60 CASE', `SELECT ${nested('CASE WHEN 1 THEN ', '1', ' END', 60)}`, 'it is too long or nested too deeply'],
    ['200 WITH', 'WITH a AS ('.repeat(200), 'more than 32 parentheses'],
    ['a text of 9,000 characters', `SELECT '${'a'.repeat(9_000)}'`, 'at most 8192 are allowed'],
    ['1,001 values', `SELECT 1 WHERE 1 IN (${Array(1_001).fill('1').join(',')})`, 'IN has 1001 values'],
    ['101 columns', `SELECT ${Array(101).fill('1').join(',')}`, 'the SELECT has 101 columns'],
    ['17 tables', `SELECT 1 FROM ${Array(17).fill('collections').join(' JOIN ')}`, 'at most 16 tables'],
    ['41 queries', Array(41).fill('SELECT 1').join(' UNION '), 'more than 40 queries'],
    [
      '30 long texts',
      `SELECT ${Array(30).fill('CONCAT(description, description, description, description, description)').join(', ')} FROM github_repos`,
      'more than 65536 characters together',
    ],
  ];
  for (const [title, sql, reason] of large) {
    it(`refuses ${title} at once`, () => {
      const started = process.cpuUsage();
      expect(refusalOf(sql).reason).to.include(reason);
      const { user, system } = process.cpuUsage(started);
      expect(user + system).to.be.below(1_000_000);
    });
  }

  it('writes what is to be run anew, from the public part of the tables', () => {
    const { sql, tables } = guardSql('SELECT /*+ hint */ name n FROM collections c -- all\n ORDER BY n LIMIT 3');
    expect(sql).to.equal(
      'SELECT `name` AS `n` FROM (SELECT `id`, `name`, `public` FROM `collections` WHERE `public` = 1) AS `c` ORDER BY `n` LIMIT 3',
    );
    expect(tables).to.deep.equal(['collections']);
  });

  it('gives the tables of WITH names of their own', () => {
    const { sql, tables } = guardSql('WITH sys_users AS (SELECT 1 AS one) SELECT one FROM sys_users, sys_users AS b');
    expect(sql).to.equal(
      'WITH `with_1` AS (SELECT 1 AS `one`) SELECT `one` FROM `with_1` AS `sys_users`, `with_1` AS `b` LIMIT 101',
    );
    expect(tables).to.deep.equal([]);
  });

  it('bounds the rows, whatever LIMIT says', () => {
    const limits = ['LIMIT 5', 'LIMIT 101', 'LIMIT 5000', 'LIMIT 20, 5000', ''].map((limit) =>
      guardSql(`SELECT id FROM collections ${limit}`).sql.replace(/^.* AS `collections` /, ''),
    );
    expect(limits).to.deep.equal(['LIMIT 5', 'LIMIT 101', 'LIMIT 101', 'LIMIT 101 OFFSET 20', 'LIMIT 101']);
  });

  it('binds the values that it is told, and no others', () => {
    expect(guardSql('SELECT :repo_id', ['repo_id']).sql).to.equal('SELECT :p1 AS `:repo_id` LIMIT 101');
    expect(() => guardSql('SELECT :user_id', ['repo_id'])).to.throw(
      SqlRefusedError,
      'no value is bound to :user_id; known: :repo_id',
    );
  });

  it('lets the queries of analysts through', () => {
    const refused = HONEST_QUERIES.filter((sql) => {
      try {
        return guardSql(sql).sql === '';
      } catch {
        return true;
      }
    });
    expect(refused).to.deep.equal([]);
  });
});

function nested(before: string, inside: string, after: string, times: number): string {
  return before.repeat(times) + inside + after.repeat(times);
}

function refusalOf(sql: string): { position: number; reason: string } {
  try {
    guardSql(sql);
  } catch (error) {
    if (error instanceof SqlRefusedError) return { position: error.position, reason: error.reason };
    throw error;
  }
  throw new Error(`This was let through: ${sql.slice(0, 200)}`);
}

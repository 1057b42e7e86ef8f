import { expect } from 'chai';
import { rulesFor } from './rules-for.js';

const FROM_TO = `from: { in: query, type: string, format: date, default: 2024-01-01, notAfter: to, description: First }
to: { in: query, type: string, format: date, default: 2024-12-31, description: Last }`;
const KIND = 'kind: { in: query, type: string, default: rye, description: Kind }';
const NUMBER = 'number: { in: query, type: integer, default: 1, description: Number }';
const BOUNDED = 'number: { in: query, type: integer, minimum: 0, maximum: 9, default: 1, description: Number }';

const OVENS_AND_LOAVES = (columns: string) =>
  `SELECT o.id, ${columns} FROM ovens o LEFT JOIN loaves l ON l.oven_id = o.id`;
const LOAVES = 'nest: { loaves: { columns: [weight], by: [id] } }';

/** A query, the rules that must report it, and its parameters. */
type Case = readonly [sql: string, rules: readonly string[], params?: string, more?: string];

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'ungrouped-column': [
    ['SELECT kind, COUNT(*) AS n FROM loaves', ['ungrouped-column']],
    ['SELECT kind, MAX(weight) AS w, day FROM loaves GROUP BY kind ORDER BY kind', ['ungrouped-column']],
    ['SELECT kind FROM loaves GROUP BY kind HAVING weight > 1 ORDER BY kind', ['ungrouped-column']],
    ['SELECT kind FROM loaves GROUP BY kind ORDER BY weight, kind', ['ungrouped-column']],
    ['SELECT kind, n FROM (SELECT kind, COUNT(*) AS n FROM loaves) c', ['ungrouped-column']],
    ['SELECT kind, COUNT(*) AS n FROM flours', ['ungrouped-column']],
    // The primary key determines the other columns, even in a join.
    ['SELECT id, kind, COUNT(*) AS n FROM loaves GROUP BY id ORDER BY id', []],
    [
      'SELECT o.name, SUM(l.weight) AS w FROM ovens o JOIN loaves l ON l.oven_id = o.id GROUP BY o.id ORDER BY o.id',
      [],
    ],
    [
      'SELECT o.name, COUNT(*) AS n FROM loaves l LEFT JOIN ovens o ON o.id = l.oven_id GROUP BY l.oven_id ORDER BY l.oven_id',
      [],
    ],
    // Constants, aggregates, equal expressions, positions and aliases.
    ['SELECT kind, {{ number }} AS x, COUNT(*) AS n FROM loaves GROUP BY kind ORDER BY kind', [], BOUNDED],
    ['SELECT COUNT(*) AS n, ANY_VALUE(kind) AS kind FROM loaves', []],
    ["SELECT CONCAT(kind, '!') AS k, COUNT(*) AS n FROM loaves GROUP BY CONCAT(kind, '!') ORDER BY k", []],
    ['SELECT YEAR(day) AS y, COUNT(*) AS n FROM loaves GROUP BY 1 ORDER BY y', []],
    ['SELECT YEAR(day) AS y, COUNT(*) AS n FROM loaves GROUP BY y HAVING n > 1 ORDER BY n, y', []],
    ['SELECT kind, COUNT(*) AS n FROM loaves WHERE kind = {{ kind }}', [], KIND],
    ['SELECT TIMESTAMPDIFF(DAY, MIN(day), MAX(day)) AS days FROM loaves', []],
    ['SELECT DISTINCT kind, COUNT(*) OVER (PARTITION BY kind) AS n FROM loaves ORDER BY kind, n', []],
    ['SELECT kind, SUM(COUNT(*)) OVER (ORDER BY kind) AS n FROM loaves GROUP BY kind ORDER BY kind', []],
  ],
  'unstable-pages': [
    ['SELECT id FROM loaves', ['unstable-pages']],
    ['SELECT id, kind FROM loaves ORDER BY kind', ['unstable-pages']],
    ['SELECT kind, COUNT(*) AS n FROM loaves GROUP BY kind ORDER BY n DESC', ['unstable-pages']],
    ['SELECT kind, COUNT(*) AS n FROM flours GROUP BY kind ORDER BY n DESC', ['unstable-pages']],
    ['SELECT id FROM loaves ORDER BY weight LIMIT 5', ['unstable-pages']],
    ['SELECT kind, pieces FROM crumbs ORDER BY pieces', ['unstable-pages']],
    ['SELECT kind FROM loaves UNION SELECT kind FROM crumbs', ['unstable-pages']],
    ['SELECT l.id, s.shop_id FROM loaves l JOIN sales s ON s.loaf_id = l.id ORDER BY l.id', ['unstable-pages']],
    // A row of DISTINCT represents several rows with different values of the expression, even if it is a key.
    ['SELECT DISTINCT kind FROM loaves ORDER BY day', ['unstable-pages']],
    ['SELECT DISTINCT kind FROM loaves ORDER BY id', ['unstable-pages']],
    ['SELECT DISTINCT kind FROM flours ORDER BY kind, weight', ['unstable-pages']],
    ['SELECT DISTINCT kind, day FROM loaves ORDER BY kind', ['unstable-pages']],
    ['SELECT DISTINCT COUNT(*) AS n FROM loaves GROUP BY kind ORDER BY kind', ['unstable-pages']],
    // A key is among the columns of ORDER BY, or is determined by them.
    ['SELECT kind FROM loaves ORDER BY weight DESC, id', []],
    ['SELECT name FROM ovens ORDER BY name', []],
    ['SELECT l.id, o.name FROM loaves l JOIN ovens o ON o.id = l.oven_id ORDER BY l.id', []],
    ['SELECT s.shop_id FROM sales s WHERE s.loaf_id = {{ number }} ORDER BY s.shop_id', [], NUMBER],
    ['SELECT l.kind FROM (SELECT MAX(id) AS id FROM loaves) m JOIN loaves l ON l.id = m.id', []],
    ['SELECT kind, n FROM (SELECT kind, COUNT(*) AS n FROM loaves GROUP BY kind) c ORDER BY n, kind', []],
    ["SELECT COALESCE(kind, '') AS kind, COUNT(*) AS n FROM crumbs GROUP BY crumbs.kind ORDER BY n, kind", []],
    [
      'SELECT x.id FROM (SELECT id, day, ROW_NUMBER() OVER (PARTITION BY day ORDER BY id) AS place FROM loaves) x ORDER BY x.day, x.place',
      [],
    ],
    // Rows that are equal in all columns can be in any order. The same holds for a single row.
    ['SELECT DISTINCT kind FROM loaves ORDER BY kind', []],
    ['SELECT DISTINCT kind, day FROM loaves ORDER BY YEAR(day), LOWER(kind), day, kind', []],
    ['SELECT DISTINCT id FROM loaves ORDER BY weight, id', []],
    ['SELECT kind, pieces FROM crumbs ORDER BY pieces, kind', []],
    ['SELECT COUNT(*) AS n FROM loaves', []],
    ['SELECT kind FROM loaves WHERE id = {{ number }}', [], NUMBER],
    // A column of an unknown table may be unique.
    ['SELECT name FROM flours ORDER BY name', []],
  ],
  'text-compared-with-number': [
    ['SELECT COUNT(*) AS n FROM loaves WHERE kind = 1', ['text-compared-with-number']],
    ['SELECT COUNT(*) AS n FROM loaves WHERE kind IN (1, 2)', ['text-compared-with-number']],
    ["SELECT COUNT(*) AS n FROM loaves WHERE id IN ('1', 'rye', 'wheat')", ['text-compared-with-number']],
    ["SELECT COUNT(*) AS n FROM loaves WHERE id = 'rye'", ['text-compared-with-number']],
    ['SELECT COUNT(*) AS n FROM loaves WHERE id = {{ kind }}', ['text-compared-with-number'], KIND],
    ['SELECT COUNT(*) AS n FROM loaves WHERE kind > {{ number }}', ['text-compared-with-number'], BOUNDED],
    ["SELECT COUNT(*) AS n FROM loaves WHERE id = '1' AND kind = '2' AND weight > 1", []],
    ['SELECT COUNT(*) AS n FROM loaves WHERE CAST(id AS CHAR) = {{ kind }}', [], KIND],
  ],
  'date-compared-with-other-type': [
    ['SELECT COUNT(*) AS n FROM loaves WHERE day > 20240101', ['date-compared-with-other-type']],
    ["SELECT COUNT(*) AS n FROM loaves WHERE day > 'yesterday'", ['date-compared-with-other-type']],
    ['SELECT COUNT(*) AS n FROM loaves WHERE day = {{ kind }}', ['date-compared-with-other-type'], KIND],
    ["SELECT COUNT(*) AS n FROM loaves WHERE day > '2024-01-31' AND baked_at > '2024-01-31 10:00:00'", []],
    ["SELECT COUNT(*) AS n FROM loaves WHERE DATE_FORMAT(day, '%Y') = {{ kind }} AND day <= {{ today }}", [], KIND],
  ],
  'datetime-compared-with-day': [
    [
      'SELECT COUNT(*) AS n FROM loaves WHERE baked_at BETWEEN {{ from }} AND {{ to }}',
      ['datetime-compared-with-day'],
      FROM_TO,
    ],
    ["SELECT COUNT(*) AS n FROM loaves WHERE baked_at <= '2024-01-31'", ['datetime-compared-with-day']],
    ["SELECT COUNT(*) AS n FROM loaves WHERE baked_at = '2024-01-31'", ['datetime-compared-with-day']],
    [
      'SELECT COUNT(*) AS n FROM loaves WHERE baked_at >= {{ from }} AND baked_at < DATE_ADD({{ to }}, INTERVAL 1 DAY)',
      [],
      FROM_TO,
    ],
    [
      'SELECT COUNT(*) AS n FROM loaves WHERE day BETWEEN {{ from }} AND {{ to }} AND DATE(baked_at) <= {{ to }}',
      [],
      FROM_TO,
    ],
    ['SELECT COUNT(*) AS n FROM loaves WHERE baked_at <= {{ now }}', []],
  ],
  'left-join-filtered': [
    [
      "SELECT COUNT(*) AS n FROM loaves l LEFT JOIN ovens o ON o.id = l.oven_id WHERE o.name = 'stone'",
      ['left-join-filtered'],
    ],
    [
      "SELECT COUNT(*) AS n FROM loaves l LEFT JOIN ovens o ON o.id = l.oven_id AND o.name = 'stone' WHERE l.kind = 'rye'",
      [],
    ],
    ['SELECT COUNT(*) AS n FROM loaves l LEFT JOIN ovens o ON o.id = l.oven_id WHERE o.id IS NULL', []],
    [
      "SELECT COUNT(*) AS n FROM loaves l LEFT JOIN ovens o ON o.id = l.oven_id WHERE COALESCE(o.name, '') <> 'steel'",
      [],
    ],
    [
      "SELECT COUNT(*) AS n FROM loaves l LEFT JOIN ovens o ON o.id = l.oven_id WHERE (o.id IS NULL OR o.name = 'steel')",
      [],
    ],
  ],
  'not-in-nullable': [
    ['SELECT COUNT(*) AS n FROM loaves WHERE id NOT IN (SELECT parent_id FROM loaves)', ['not-in-nullable']],
    ['SELECT COUNT(*) AS n FROM loaves WHERE NOT id IN (SELECT loaf_id FROM crumbs)', ['not-in-nullable']],
    ['SELECT COUNT(*) AS n FROM loaves WHERE id NOT IN (SELECT parent_id FROM loaves WHERE parent_id IS NOT NULL)', []],
    [
      'SELECT COUNT(*) AS n FROM loaves WHERE id NOT IN (SELECT loaf_id FROM sales) AND id IN (SELECT parent_id FROM loaves)',
      [],
    ],
  ],
  'repeated-sum': [
    [
      'SELECT o.id, SUM(l.weight) AS w FROM ovens o JOIN loaves l ON l.oven_id = o.id JOIN sales s ON s.loaf_id = l.id GROUP BY o.id ORDER BY o.id',
      ['repeated-sum'],
    ],
    [
      'SELECT o.id, SUM(s.pieces) AS n FROM ovens o JOIN loaves l ON l.oven_id = o.id JOIN sales s ON s.loaf_id = l.id GROUP BY o.id ORDER BY o.id',
      [],
    ],
    [
      'SELECT s.shop_id, SUM(l.weight * s.pieces) AS w FROM loaves l JOIN sales s ON s.loaf_id = l.id GROUP BY s.shop_id ORDER BY s.shop_id',
      [],
    ],
    [
      'SELECT s.shop_id, SUM(l.weight) AS w FROM loaves l JOIN sales s ON s.loaf_id = l.id GROUP BY s.shop_id ORDER BY s.shop_id',
      [],
    ],
    [
      'SELECT o.id, COUNT(l.id) AS loaves FROM ovens o JOIN loaves l ON l.oven_id = o.id JOIN sales s ON s.loaf_id = l.id GROUP BY o.id ORDER BY o.id',
      ['repeated-sum'],
    ],
    [
      'SELECT o.id, COUNT(DISTINCT l.id) AS loaves, COUNT(s.loaf_id) AS sales FROM ovens o JOIN loaves l ON l.oven_id = o.id JOIN sales s ON s.loaf_id = l.id GROUP BY o.id ORDER BY o.id',
      [],
    ],
    ['SELECT o.id, SUM(f.n) AS n FROM ovens o JOIN flours f ON f.oven_id = o.id GROUP BY o.id ORDER BY o.id', []],
  ],
  'and-or-without-parentheses': [
    ["SELECT COUNT(*) AS n FROM loaves WHERE kind = 'rye' AND id > 1 OR id < 9", ['and-or-without-parentheses']],
    ["SELECT COUNT(*) AS n FROM loaves WHERE (kind = 'rye' AND id > 1) OR id < 9", []],
  ],
  'compared-with-null': [
    ['SELECT COUNT(*) AS n FROM loaves WHERE parent_id = NULL', ['compared-with-null']],
    ['SELECT COUNT(*) AS n FROM loaves WHERE parent_id <=> NULL OR parent_id IS NULL', []],
  ],
  'or-instead-of-concat': [
    ["SELECT kind || '!' AS k, id FROM loaves ORDER BY id", ['or-instead-of-concat']],
    ["SELECT id FROM loaves WHERE id = 1 || kind = 'rye' ORDER BY id", []],
  ],
  'select-all-columns': [
    ['SELECT * FROM loaves ORDER BY id', ['select-all-columns']],
    ['SELECT id FROM (SELECT l.* FROM loaves l) x ORDER BY id', ['select-all-columns']],
    ['SELECT id FROM (SELECT id FROM loaves WHERE EXISTS (SELECT * FROM sales)) x ORDER BY id', []],
    ['WITH x AS (SELECT id FROM loaves) SELECT id FROM (SELECT * FROM x) y ORDER BY id', []],
  ],
  'unclear-children': [
    [`${OVENS_AND_LOAVES('l.weight')} ORDER BY o.id, l.id`, ['unclear-children'], '', LOAVES],
    [`${OVENS_AND_LOAVES('l.kind, l.weight')} ORDER BY o.id, l.id`, [], '', LOAVES.replace('weight', 'weight, kind')],
    [`${OVENS_AND_LOAVES('l.weight')} WHERE l.weight IS NOT NULL ORDER BY o.id, l.id`, [], '', LOAVES],
    [`${OVENS_AND_LOAVES('l.weight * 2 AS weight')} ORDER BY o.id, l.id`, [], '', LOAVES],
    [
      `${OVENS_AND_LOAVES('o.name, l.weight')} ORDER BY o.id, l.id`,
      ['unclear-children'],
      '',
      LOAVES.replace('weight', 'weight, name'),
    ],
    // Each row has a loaf, also without a sale.
    [
      'SELECT l.oven_id, l.kind, s.pieces FROM loaves l LEFT JOIN sales s ON s.loaf_id = l.id ORDER BY l.oven_id, l.id, s.shop_id',
      [],
      '',
      'nest: { loaves: { columns: [kind, pieces], by: [oven_id] } }',
    ],
    ['SELECT l.oven_id, l.weight FROM flours l ORDER BY l.oven_id', [], '', 'nest: { loaves: { columns: [weight] } }'],
  ],
  'unbounded-parameter': [
    [
      'SELECT COUNT(*) AS n FROM loaves WHERE day > DATE_SUB({{ today }}, INTERVAL {{ number }} DAY)',
      ['unbounded-parameter'],
      NUMBER,
    ],
    ['SELECT id FROM loaves ORDER BY id LIMIT {{ number }}', ['unbounded-parameter'], NUMBER],
    ["SELECT REPEAT('x', {{ number }}) AS x FROM ovens LIMIT 1", ['unbounded-parameter'], NUMBER],
    ['SELECT id FROM loaves ORDER BY id LIMIT {{ number }}', [], BOUNDED],
    ['SELECT id FROM loaves WHERE oven_id = {{ number }} ORDER BY id', [], NUMBER],
  ],
};

describe('a rule of warnings', () => {
  for (const [rule, cases] of Object.entries(CASES)) {
    it(`finds its mistake and nothing else: ${rule}`, async () => {
      const found = await Promise.all(
        cases.map(async ([sql, , params, more]) => [sql, await rulesFor(sql, params, more)]),
      );
      expect(found).to.deep.equal(cases.map(([sql, rules]) => [sql, rules]));
    });
  }
});

import { expect } from 'chai';
import { translator } from '../../../engine/sql/duckdb/expression.js';
import { translate } from '../../../engine/sql/duckdb/translate.js';
import { writePublicQuery } from '../../../engine/sql/guard/write-public-query.js';
import { readStatement } from '../../../engine/sql/reading/statement.js';
import { toNode } from '../../../engine/sql/reading/tree.js';
import { PUBLIC_TABLES } from '../../../warehouse/public-tables.js';
import { ANALYST_QUERIES } from '../../playground/analyst-queries.js';
import { EQUAL_QUERIES } from '../../playground/equal-queries.js';
import { FOREIGN_QUERIES } from '../foreign/queries.js';

/** Converts a parsed tree back to SQL. */
type Write = (tree: unknown, sql: string) => string;

const WRITERS: Readonly<Record<string, Write>> = {
  translation: (tree) => translator.query(toNode(tree)),
  guard: (tree, sql) => writePublicQuery(toNode(tree), sql, { tables: PUBLIC_TABLES, rows: 101, markers: [] }).sql,
};

const QUERIES = [...ANALYST_QUERIES, ...EQUAL_QUERIES, ...FOREIGN_QUERIES.map(({ sql }) => sql)];

/** Fields that a writer may ignore, because they do not affect the result of a query. */
const WITHOUT_MEANING: readonly (readonly [RegExp, string])[] = [
  [/\.\w*comments$/, 'comments'],
  [
    /\.(quoted|no_parens|explicit_asc|alias_explicit_as|modifiers_inside|use_plural)$/,
    'how a name or a clause is written',
  ],
  [/\.(\w+_syntax|\w+_keyword|position_explicit|postfix_form)$/, 'which of several notations the query uses'],
  [/\.null$/, 'NULL is a node without fields'],
  [/^(union|intersect|except)\.distinct$/, 'the default of set operations'],
  [/^(min|max)\.distinct$/, 'repeated values do not change a minimum'],
  [/^with\.recursive$/, 'RECURSIVE of a WITH whose queries do not read themselves'],
  [/\.hints?$/, 'hints of indexes and of the optimizer'],
  [/^joins\[\]\.deferred_condition$/, 'a single join has the same meaning with it'],
];

/** Test values of several shapes. A writer that reads a field must react to at least one of them. */
const PROBES: readonly unknown[] = [
  { probe: {} },
  [{ probe: {} }],
  true,
  'probe',
  { probe: {}, expressions: [{ probe: {} }] },
  { this: { probe: {} }, tables: [{ probe: {} }] },
];

interface Place {
  readonly path: readonly (string | number)[];
  readonly name: string;
}

/** Finds the empty fields of a tree. The names of the fields consist of the key of the object and the key of the field. */
function* emptyFields(value: unknown, path: readonly (string | number)[], kind: string): Generator<Place> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* emptyFields(item, [...path, index], `${kind}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      const isEmpty = part === null || part === false || (Array.isArray(part) && part.length === 0);
      if (isEmpty) yield { path: [...path, key], name: `${kind}.${key}` };
      yield* emptyFields(part, [...path, key], key);
    }
  }
}

function withValue(tree: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(tree);
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[path.at(-1) ?? ''] = value;
  return copy;
}

/** Whether the writer returns other text, or throws, if a field of the tree gets a value. */
function isNoticed(write: Write, tree: unknown, sql: string, path: Place['path']): boolean {
  const before = write(tree, sql);
  return PROBES.some((probe) => {
    try {
      return write(withValue(tree, path, probe), sql) !== before;
    } catch {
      return true;
    }
  });
}

describe('the fields of the parsed tree', () => {
  const trees = new Map<string, unknown>();
  before(() => {
    for (const sql of QUERIES) {
      const reading = readStatement(sql);
      if ('tree' in reading) trees.set(sql, reading.tree);
    }
  });

  for (const [name, write] of Object.entries(WRITERS)) {
    it(`are all read or rejected by the ${name}`, () => {
      const [tested, ignored] = [new Set<string>(), new Set<string>()];
      for (const [sql, tree] of trees) {
        if (!canWrite(write, tree, sql)) continue;
        for (const { path, name: field } of emptyFields(tree, [], '')) {
          if (tested.has(field)) continue;
          tested.add(field);
          if (!isNoticed(write, tree, sql, path) && !WITHOUT_MEANING.some(([known]) => known.test(field)))
            ignored.add(`${field} in ${sql}`);
        }
      }
      expect(tested.size).to.be.above(200);
      expect([...ignored]).to.deep.equal([]);
    });
  }

  const REJECTED = [
    ["SELECT 'a' LIKE ANY ('a', 'b')", 'QUANTIFIER in LIKE'],
    ['SELECT COUNT(DISTINCT *) FROM visits', 'COUNT(DISTINCT *)'],
    ['SELECT CAST(1 AS DOUBLE(5, 2))', 'PRECISION in THE TYPE DOUBLE'],
    ['SELECT CAST(1 AS BINARY(3))', 'LENGTH in THE TYPE BINARY'],
    ["SELECT CAST('10:00:00' AS TIME(3))", 'PRECISION in THE TYPE TIME'],
    ["SELECT CAST('a' AS NCHAR(3))", 'NCHAR(3)'],
    ["SELECT CONVERT('abc', DOUBLE(3, 2))", 'DOUBLE(3, 2)'],
    ['SELECT v.a FROM visits AS v (a, b)', 'COLUMN ALIASES in TABLE'],
  ] as const;
  for (const [sql, construct] of REJECTED) {
    it(`rejects ${sql}`, () => {
      expect(() => translate(sql)).to.throw(construct);
    });
  }
});

function canWrite(write: Write, tree: unknown, sql: string): boolean {
  try {
    write(tree, sql);
    return true;
  } catch {
    return false;
  }
}

import { expect } from 'chai';
import { findListTests } from '../../engine/authoring/foreign/template/liquid-outputs.js';
import { splitAtPlaceholders } from '../../engine/authoring/foreign/template/sql-nodes.js';
import type { ParameterRole } from '../../engine/authoring/foreign/template/template-text.js';
import { writeTemplate } from '../../engine/authoring/foreign/template/write-template.js';

const ROLES: ReadonlyMap<string, ParameterRole> = new Map([
  ['x', { name: 'x' }],
  ['ids', { name: 'ids', isList: true }],
  ['sort', { name: 'sort', choices: ['weight', 'kind'], isText: true }],
  ['bound', { name: 'bound', choices: ['a', 'b'] }],
  ['size', { name: 'size', choices: [1, 2] }],
  [
    'part',
    {
      name: 'part',
      fragments: new Map([
        ['one', [{ text: "k = 'it''s'", at: 0 }]],
        ['say "2"', [{ text: '', at: 0 }]],
      ]),
    },
  ],
  ['raw', { name: 'raw', unsafe: 'raw would become SQL here' }],
]);

/** Converts SQL with placeholders of the form `<name>`. Returns the template, or the problems as `offset message`. */
function convert(sql: string): string {
  const nodes = splitAtPlaceholders([{ text: sql, at: 0 }], (text) =>
    [...text.matchAll(/<(\w+)>/g)].map(({ 0: all, 1: parameter = '', index }) => ({
      start: index,
      end: index + all.length,
      parameter,
    })),
  );
  const { text, problems } = writeTemplate(nodes, { roles: ROLES, isLiquid: false });
  return problems.length === 0 ? text : problems.map(({ at, message }) => `${at} ${message}`).join('; ');
}

const CASE_SORT = '{% case sort %}{% when "weight" %}weight{% when "kind" %}kind{% endcase %}';

/** Foreign SQL, and the expected template or problems. */
const CONVERSIONS: readonly (readonly [string, string])[] = [
  ['a = <x> ;\n', 'a = {{ x }}'],
  ["a = '<x>'", 'a = {{ x }}'],
  ['a = "<x>"', 'a = {{ x }}'],
  ["a LIKE '%<x>%'", "a LIKE CONCAT('%', {{ x }}, '%')"],
  ["a = 'it''s <x>'", "a = CONCAT('it''s ', {{ x }})"],
  ["a = '\\'<x>\\''", "a = CONCAT('\\'', {{ x }}, '\\'')"],
  ['a = "say ""<x>"""', 'a = CONCAT("say """, {{ x }}, """")'],
  ["a = '<x><x>'", 'a = CONCAT({{ x }}, {{ x }})'],
  ["a = '<x>' '<x>'", 'a = {{ x }} {{ x }}'],
  ["a = '\"<x>\"' -- '<x>", "a = CONCAT('\"', {{ x }}, '\"') -- 'x"],
  ['a = 1 /* <x> {{ y }} {% if %} */', 'a = 1 /* x { { y }} { % if %} */'],
  ["a = 1 # <x> it's", "a = 1 --  x it's"],
  ["a = '# <x>' AND b = '-- <x>'", "a = CONCAT('# ', {{ x }}) AND b = CONCAT('-- ', {{ x }})"],
  ['a IN (<ids>)', 'a IN ({{ ids }})'],
  ["a IN ('<ids>')", '7 ids is a list inside a quoted text: write IN (…) with one value per item'],
  ['ORDER BY <sort>', `ORDER BY ${CASE_SORT}`],
  ['ORDER BY t.<sort> DESC', `ORDER BY t.${CASE_SORT} DESC`],
  ['SELECT `<sort>`', `SELECT \`${CASE_SORT}\``],
  ["a = '<sort>'", 'a = {{ sort }}'],
  ['a = <bound>', 'a = {{ bound }}'],
  ['FROM t_<bound>', 'FROM t_{% case bound %}{% when "a" %}a{% when "b" %}b{% endcase %}'],
  ['FROM t<size>', 'FROM t{% case size %}{% when 1 %}1{% when 2 %}2{% endcase %}'],
  ['WHERE <part>', `WHERE {% case part %}{% when "one" %}k = 'it''s'{% when 'say "2"' %}{% endcase %}`],
  [
    "a = '<part> and <x>'",
    `a = CONCAT('{% case part %}{% when "one" %}k = 'it''s'{% when 'say "2"' %}{% endcase %} and ', {{ x }})`,
  ],
  ['FROM t_<x>', '7 x is a part of a name here, and a caller must not choose names: use an enum'],
  ['FROM <x>.t', '5 x is a part of a name here, and a caller must not choose names: use an enum'],
  ['SELECT <x>(1)', '7 x is a part of a name here, and a caller must not choose names: use an enum'],
  ['a = 1<x>', '5 x is a part of a name here, and a caller must not choose names: use an enum'],
  ['SELECT `<x>`', '8 x is inside a quoted name, and a caller must not choose names: use an enum'],
  ['a = <raw>', '4 raw would become SQL here'],
  ["a = '<raw>'", 'a = {{ raw }}'],
  ['a = <other> OR <other>', '4 the parameter other is not declared; 15 the parameter other is not declared'],
  ["a = '{{ x }}'", '5 {{ starts a template in definitions: remove it from the SQL'],
  ['a = 1 {% if x %}', '6 {% starts a template in definitions: remove it from the SQL'],
  ['a > NOW() AND b = current_date', 'a > {{ now }} AND b = {{ today }}'],
  ['UTC_TIMESTAMP( ), CURRENT_TIMESTAMP, CURDATE()', '{{ now }}, {{ now }}, {{ today }}'],
  ['UTC_TIMESTAMP, utc_date, LOCALTIME, SYSDATE()', '{{ now }}, {{ today }}, {{ now }}, {{ now }}'],
  [
    "a.UTC_DATE, `UTC_TIMESTAMP`, UTC_TIMESTAMP(3), 'LOCALTIME'",
    "a.UTC_DATE, `UTC_TIMESTAMP`, UTC_TIMESTAMP(3), 'LOCALTIME'",
  ],
  [
    "t.now, now, 'NOW()', `CURRENT_DATE`, CURRENT_TIMESTAMP(6)",
    "t.now, now, 'NOW()', `CURRENT_DATE`, CURRENT_TIMESTAMP(6)",
  ],
];

describe('the templates of foreign SQL', () => {
  for (const [sql, expected] of CONVERSIONS) {
    it(`for ${JSON.stringify(sql)}`, () => {
      expect(convert(sql)).to.equal(expected);
    });
  }

  it('test whether a list is present instead of its size', () => {
    const lists = new Map([['ids', 'loafIds']]);
    const convertTags = (text: string) => {
      const nodes = [{ text, at: 0 }];
      const written = writeTemplate(nodes, { roles: ROLES, isLiquid: true, listTests: findListTests(text, lists) });
      expect(written.problems).to.deep.equal([]);
      return written.text;
    };
    const tests: Readonly<Record<string, string>> = {
      'ids.size > 0': 'loafIds',
      'ids and ids.size>0': 'ids and loafIds',
      'kind == "a" and ids.size != 0 or ids.size >= 1': 'kind == "a" and loafIds or loafIds',
      'ids.size == 0': 'not loafIds',
      'ids.size <= 0 or ids.size < 1': 'not loafIds or not loafIds',
      'ids != empty and ids == blank': 'loafIds and not loafIds',
      // These expressions have no equivalent, so they are unchanged.
      'ids.size > 1 or ids.size == 10 or x.ids.size > 0': 'ids.size > 1 or ids.size == 10 or x.ids.size > 0',
      'names.size > 0': 'names.size > 0',
    };
    for (const [test, expected] of Object.entries(tests)) {
      expect(convertTags(`{% if ${test} %}AND ids.size > 0{%- endif -%}`)).to.equal(
        `{% if ${expected} %}AND ids.size > 0{%- endif -%}`,
      );
    }
  });

  it('know the place of every character in the foreign file', () => {
    const sql = "\n SELECT a FROM t WHERE b LIKE '%<x>' AND c = 1";
    const nodes = splitAtPlaceholders([{ text: sql, at: 0 }], () => [
      { start: sql.indexOf('<x>'), end: sql.indexOf('<x>') + 3, parameter: 'x' },
    ]);
    const { text, sourceOffset } = writeTemplate(nodes, { roles: ROLES, isLiquid: false });
    const places = ['SELECT', 'FROM t', '{{ x', 'c = 1'].map((part) => [
      sourceOffset(text.indexOf(part)),
      sql.indexOf(part.replace('{{ x', '<x>')),
    ]);
    expect(places.map(([got]) => got)).to.deep.equal(places.map(([, expected]) => expected));
  });
});

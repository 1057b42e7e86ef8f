import { expect } from 'chai';
import { maskClock, proposeDefinition, type TableMeaning, type TableMeanings } from '../../engine/authoring/index.js';

const table = (words: string, columns: Readonly<Record<string, string>>, dataAsOf?: string): TableMeaning => ({
  words,
  description: `All ${words}. More.`,
  order: [],
  ...(dataAsOf !== undefined && { dataAsOf }),
  columns: new Map(
    Object.entries(columns).map(([name, text]) => {
      const [type = '', description = ''] = text.split('|');
      return [name, { type: type.replace('!', ''), isNotNull: type.endsWith('!'), description }];
    }),
  ),
});

const TABLES: TableMeanings = new Map([
  [
    'loaves',
    table(
      'loaves',
      {
        id: 'BIGINT!|Number of the loaf.',
        oven_id: 'BIGINT|Number of the oven; joins `ovens.id`.',
        kind: 'VARCHAR(20)!|`rye`, `spelt` or `wheat`.',
        name: 'VARCHAR(40)!|Name.',
        weight: 'DECIMAL(9,2)|Kilograms.',
        is_sold: 'TINYINT!|1 if it is sold.',
        baked_at: 'DATETIME!|Time of the baking.',
      },
      'SELECT MAX(baked_at) FROM loaves',
    ),
  ],
  ['ovens', table('ovens', { id: 'BIGINT!|Number of the oven.', name: 'VARCHAR(40)!|Name of the oven.' })],
]);

function propose(sql: string, options: { path?: string; named?: Record<string, string>; kept?: string[] } = {}) {
  return proposeDefinition({
    sql,
    described: [{ name: 'n', type: 'BIGINT' }],
    tables: TABLES,
    taken: { names: new Set(['loaves']), routes: ['/v1/{x}/'] },
    choices: { named: new Map(Object.entries(options.named ?? {})), kept: new Set(options.kept ?? []) },
    prefix: '/v1',
    ...(options.path !== undefined && { path: options.path }),
  });
}

/** Returns the condition of a SELECT, in which literals are replaced by parameters, and the parameters as text. */
function decide(condition: string, options: Parameters<typeof propose>[1] = {}) {
  const { definition, notes } = propose(`SELECT id AS n FROM loaves l WHERE ${condition}`, options);
  const text = String(definition.sql);
  const sql = text.slice(text.indexOf('WHERE ') + 6).trim();
  const params = Object.entries((definition.params ?? {}) as Record<string, Record<string, unknown>>).map(
    ([name, { description: _, ...rest }]) => `${name} ${JSON.stringify(rest).replaceAll('"', '')}`,
  );
  return { sql, params, notes: notes.filter((note) => note.includes('stays')) };
}

describe('the proposed parameters of a SELECT', () => {
  const become: Readonly<Record<string, readonly [sql: string, ...params: string[]]>> = {
    'oven_id = 7': ['oven_id = {{ oven_id }}', 'oven_id {in:path,type:integer,example:7}'],
    "l.name = 'a''b'": ['l.name = {{ name }}', "name {in:path,type:string,maxLength:40,example:a'b}"],
    "name = 'a/b'": ['name = {{ name }}', 'name {in:query,type:string,maxLength:40,default:a/b}'],
    'weight >= 0.5 AND weight < 7': [
      'weight >= {{ min_weight }} AND weight < {{ below_weight }}',
      'min_weight {in:query,type:number,default:0.5,notAfter:below_weight}',
      'below_weight {in:query,type:number,default:7}',
    ],
    'weight BETWEEN - 2 AND 9': [
      'weight BETWEEN {{ min_weight }} AND {{ max_weight }}',
      'min_weight {in:query,type:number,default:-2,notAfter:max_weight}',
      'max_weight {in:query,type:number,default:9}',
    ],
    "baked_at >= '2026-01-01' AND baked_at <= '2026-02-01 00:00:00'": [
      'baked_at >= {{ from }} AND baked_at <= {{ to }}',
      'from {in:query,type:string,format:date,default:2026-01-01,notAfter:to}',
      'to {in:query,type:string,format:date,default:2026-02-01}',
    ],
    "'2026-01-01' < baked_at": [
      '{{ after }} < baked_at',
      'after {in:query,type:string,format:date,default:2026-01-01}',
    ],
    "kind IN ('rye', 'spelt')": [
      'kind IN ({{ kinds }})',
      'kinds {in:query,type:array,items:{type:string,enum:[rye,spelt,wheat]},maxItems:20,default:[rye,spelt]}',
    ],
    'oven_id IN (1, 2)': [
      'oven_id IN ({{ oven_ids }})',
      'oven_ids {in:query,type:array,items:{type:integer},maxItems:20,default:[1,2]}',
    ],
    // `--` only starts a comment before a space.
    'weight > 5--2 AND oven_id = 7': [
      'weight > 5--2 AND oven_id = {{ oven_id }}',
      'oven_id {in:path,type:integer,example:7}',
    ],
    'weight > --2': ['weight > {{ above_weight }}', 'above_weight {in:query,type:number,default:2}'],
    "!(weight > 5--2) AND name = 'a--b'": [
      '!(weight > 5--2) AND name = {{ name }}',
      'name {in:path,type:string,maxLength:40,example:a--b}',
    ],
    "name LIKE '%oa%'": [
      "name LIKE CONCAT('%', {{ name }}, '%')",
      'name {in:query,type:string,maxLength:100,default:oa}',
    ],
    "name NOT LIKE 'oa%'": [
      "name NOT LIKE CONCAT({{ name }}, '%')",
      'name {in:query,type:string,maxLength:100,default:oa}',
    ],
    'YEAR(baked_at) = 2026': ['YEAR(baked_at) = {{ year }}', 'year {in:query,type:integer,default:2026}'],
    "id IN (SELECT o.id FROM ovens o WHERE o.name = 'x')": [
      'id IN (SELECT o.id FROM ovens o WHERE o.name = {{ name }})',
      'name {in:path,type:string,maxLength:40,example:x}',
    ],
    'oven_id = 7 OR id = 8 OR oven_id = 9 OR oven_id = 7': [
      'oven_id = {{ oven_id }} OR id = {{ id }} OR oven_id = {{ oven_id_2 }} OR oven_id = {{ oven_id }}',
      'oven_id {in:path,type:integer,example:7}',
      'id {in:path,type:integer,example:8}',
      'oven_id_2 {in:path,type:integer,example:9}',
    ],
  };
  for (const [condition, [sql, ...params]] of Object.entries(become)) {
    it(`replace the literals of ${condition}`, () => {
      expect(decide(condition)).to.deep.equal({ sql, params, notes: [] });
    });
  }

  const stay: Readonly<Record<string, string>> = {
    "kind = 'rye'": "'rye' stays in the SQL: `kind` has few values.",
    'is_sold = 5': '5 stays in the SQL: `is_sold` has few values.',
    'weight > 0': '0 stays in the SQL: 0 and 1 usually select a kind of rows.',
    'oven_id <> 7': '7 stays in the SQL: it excludes rows.',
    "name NOT IN ('a', 'b')": "'a', 'b' stays in the SQL: it excludes rows.",
    "name = ''": "'' stays in the SQL: an empty text is not a value of a caller.",
    "name LIKE 'a%b'": "'a%b' stays in the SQL: its pattern is not one text between wildcards.",
    "baked_at < '2026-01-01 10:00:00'":
      "'2026-01-01 10:00:00' stays in the SQL: a parameter can be a day, not a time of a day.",
    "baked_at < '2026-02-30'": "'2026-02-30' stays in the SQL: a parameter can be a day, not a time of a day.",
    "oven_id = '7'": "'7' stays in the SQL: it is a text compared with a number.",
    "name > 'm'": "'m' stays in the SQL: it is a bound of texts.",
    'id = 9007199254740993': '9007199254740993 stays in the SQL: a parameter cannot be an integer above 2^53.',
    "id IN (1, 'a')": "1, 'a' stays in the SQL: the list mixes texts and numbers.",
  };
  for (const [condition, note] of Object.entries(stay)) {
    it(`leave ${condition}`, () => {
      expect(decide(condition)).to.deep.equal({ sql: condition, params: [], notes: [note] });
    });
  }

  it('leave literals that are compared with nothing, and those outside of WHERE and HAVING', () => {
    const { definition } = propose(
      "SELECT CASE WHEN l.id = 7 THEN 'a' END AS n FROM loaves l JOIN ovens o ON o.id = l.id AND o.name = 'x' WHERE baked_at > DATE_SUB('2026-01-01', INTERVAL 3 DAY) AND l.baked_at > DATE '2020-01-01' GROUP BY 1",
    );
    expect(definition.params).to.equal(undefined);
  });

  it('follow the choices of the caller', () => {
    expect(
      decide("kind = 'rye' AND weight > 1 AND id = 7", { named: { what: 'rye', least: '1' }, kept: ['7'] }),
    ).to.deep.equal({
      sql: 'kind = {{ what }} AND weight > {{ least }} AND id = 7',
      params: [
        'what {in:query,type:string,enum:[rye,spelt,wheat],default:rye}',
        'least {in:query,type:number,default:1}',
      ],
      notes: ['7 stays in the SQL: you chose to keep it.'],
    });
    expect(decide('id = 7 AND oven_id = 8', { path: '/v1/a/{oven_id}/' }).params).to.deep.equal([
      'oven_id {in:path,type:integer,example:8}',
      'id {in:query,type:integer,default:7}',
    ]);
    const known = "7; 'a', 'b'";
    expect(() => decide("id = 7 AND name IN ('a', 'b')", { kept: ['8'] })).to.throw(
      `--keep 8: expected one of ${known}, got 8.`,
    );
    expect(decide("id = 7 AND name IN ('a', 'b')", { named: { x: 'a,b' } }).params[1]).to.match(
      /^x \{in:query,type:array/,
    );
  });

  it('have pages for an ordered LIMIT, and a limit of rows for another one', () => {
    const rowsOf = (end: string, kept: string[] = []) => {
      const { sql, pagination, limits } = propose(`SELECT id AS n FROM loaves ${end}`, { kept }).definition;
      return { sql: String(sql).split('loaves')[1]?.trim(), pagination, limits };
    };
    expect(rowsOf('ORDER BY id LIMIT 10')).to.deep.equal({
      sql: 'ORDER BY id',
      pagination: { default: 10, max: 100 },
      limits: undefined,
    });
    expect(rowsOf('ORDER BY id LIMIT 5000 OFFSET 10')).to.deep.equal({
      sql: 'ORDER BY id',
      pagination: undefined,
      limits: { rows: 5000 },
    });
    expect(rowsOf('LIMIT 10')).to.deep.equal({ sql: '', pagination: undefined, limits: { rows: 10 } });
    expect(rowsOf('LIMIT 10', ['LIMIT'])).to.deep.equal({ sql: 'LIMIT 10', pagination: undefined, limits: undefined });
  });

  it('have a free name and path, and the freshness of the tables', () => {
    const { definition } = propose('SELECT oven_id, COUNT(*) AS n FROM loaves WHERE id = 3 GROUP BY oven_id');
    const { name, path, summary, data_as_of } = definition;
    expect([name, path, summary, data_as_of]).to.deep.equal([
      'loaves-by-oven-id',
      '/v1/loaves-by-oven-id/{id}/',
      'Loaves by oven id',
      'SELECT MAX(baked_at) FROM loaves',
    ]);
    const other = propose('SELECT id AS n FROM loaves').definition;
    // The existing route /v1/{x}/ matches every proposed path with one segment.
    expect([other.name, other.summary]).to.deep.equal(['loaves-2', 'All loaves']);
  });

  it('keep the clock of the service', () => {
    const sql = 'SELECT id AS n FROM loaves WHERE baked_at > {{ today }} AND id = 7';
    expect(maskClock(sql)).to.equal('SELECT id AS n FROM loaves WHERE baked_at > :p1         AND id = 7');
    expect(propose(sql).definition.sql).to.equal(
      'SELECT id AS n\nFROM loaves\nWHERE baked_at > {{ today }} AND id = {{ id }}\n',
    );
  });
});

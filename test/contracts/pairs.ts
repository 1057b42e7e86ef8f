/** The first definition of every pair. */
export const EARLIER = `name: list-loaves
path: /v1/ovens/{oven}/loaves/
summary: Loaves of an oven
description: All loaves.
tags: [Loaves]
questions: ['which loaves are in the oven {oven}']
params:
  oven: { in: path, type: string, maxLength: 40, description: Name of the oven }
  sort: { in: query, enum: [weight, kind, age], default: weight, description: Order }
  kind: { in: query, type: string, minLength: 2, maxLength: 20, pattern: '^[a-z]+$', description: Kind }
  least: { in: query, type: integer, minimum: 10, maximum: 500, default: 10, description: Grams, example: 20 }
  baker: { in: query, type: string, description: Baker }
  sizes: { in: query, type: array, items: { type: integer, minimum: 1 }, minItems: 1, maxItems: 5, default: [1], description: Sizes }
  from: { in: query, type: string, format: date, default: 2000-01-01, notAfter: to, description: First day }
  to: { in: query, type: string, format: date, default: 2099-01-01, description: Last day }
pagination: { default: 30, max: 100 }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
  - { col: weight, data_type: DECIMAL, scale: 2, nullable: true, description: Kilograms }
sql: |
  SELECT l.id, l.kind, l.weight
  FROM loaves l JOIN ovens o ON o.id = l.oven_id
  WHERE o.name = {{ oven }} AND l.grams >= {{ least }} AND l.size IN ({{ sizes }})
    AND ({{ kind }} IS NULL OR l.kind = {{ kind }}) AND ({{ baker }} IS NULL OR l.baker = {{ baker }})
    AND l.day BETWEEN {{ from }} AND {{ to }}
  ORDER BY {% case sort %}{% when "weight" %}l.weight{% when "kind" %}l.kind{% else %}l.age{% endcase %}, l.id
`;

/** Edits that create the second definition from the first one, and all expected changes. */
export interface Pair {
  readonly name: string;
  readonly edits: readonly (readonly [string, string])[];
  /** Edits that are applied to both definitions. */
  readonly both?: readonly (readonly [string, string])[];
  /** The expected changes, each as `effect place action: before → after; reason`. */
  readonly changes: readonly string[];
}

const NO_PAGES: readonly (readonly [string, string])[] = [
  ['pagination: { default: 30, max: 100 }\n', 'limits: { rows: 100 }\n'],
];
/** Edits with which `LIST` is valid. */
const NESTABLE: readonly (readonly [string, string])[] = [...NO_PAGES, ['ORDER BY {%', 'ORDER BY l.id, {%']];
const LIST = 'nest: { weights: { columns: [weight], by: [id] } }\n';
const MOVED = 'programs find the cells at another place in /q, NDJSON and MCP';
const MORE = 'more values are accepted';
const LOOSER = 'the bound is looser: more values are accepted';
const BELOW = 'the bound is tighter: values below it are rejected';
const ABOVE = 'the bound is tighter: values above it are rejected';
const DOCUMENTATION = 'only the documentation changes';
const SILENT = 'requests without this parameter silently get another answer';
const SQL_CHANGED =
  'compatible sql changed: requests and the form of the answers stay the same, but their rows may change; this comparison does not run the SQL';

const SOURCES =
  "SELECT 'Some loaves are missing.' AS notice, 'loaf' AS type, 'oven' AS source, NULL AS subject, NULL AS starts, NULL AS ends, 0.5 AS share";

export const PAIRS: readonly Pair[] = [
  {
    name: 'access and the number of requests become narrower',
    edits: [['columns:', 'access: key\nlimits: { requests: 60/min }\ncolumns:']],
    changes: [
      'breaking access changed: public → key; requests of some callers are rejected',
      'breaking limits.requests added: 60 in 60 s; callers with more requests are rejected',
    ],
  },
  {
    name: 'access and the number of requests become wider',
    both: [['columns:', 'access: [key]\nlimits: { requests: 60/min }\ncolumns:']],
    edits: [
      ['[key]', '[key, signed-in]'],
      ['60/min', '3600/min'],
    ],
    changes: [
      'compatible access changed: key → key, signed-in; more callers can read the endpoint',
      'compatible limits.requests changed: 60 in 60 s → 3600 in 60 s; callers can send more requests',
    ],
  },
  { name: 'nothing', edits: [], changes: [] },
  {
    name: 'the name',
    edits: [['list-loaves', 'all-loaves']],
    changes: ['breaking name renamed: list-loaves → all-loaves; requests with the earlier name fail'],
  },
  {
    name: 'the path',
    edits: [['/v1/ovens/{oven}/loaves/', '/v1/loaves/{oven}/']],
    changes: [
      'breaking path changed: /v1/ovens/{oven}/loaves/ → /v1/loaves/{oven}/; requests to the earlier path fail',
    ],
  },
  { name: 'a slash at the end of the path', edits: [['/loaves/', '/loaves']], changes: [] },
  {
    name: 'a removed path',
    edits: [
      ['path: /v1/ovens/{oven}/loaves/\n', ''],
      ['in: path,', 'in: query, required: true,'],
    ],
    changes: [
      'breaking path removed: /v1/ovens/{oven}/loaves/; requests to the earlier path fail',
      'breaking params.oven.in changed: path → query; requests send it at the earlier place',
    ],
  },
  {
    name: 'a new path',
    both: [
      ['path: /v1/ovens/{oven}/loaves/\n', ''],
      ['in: path,', 'in: query, required: true,'],
    ],
    edits: [['summary:', 'path: /v1/loaves/\nsummary:']],
    changes: ['compatible path added: /v1/loaves/; requests by name continue to work'],
  },
  {
    name: 'a removed parameter',
    edits: [
      ['  baker: { in: query, type: string, description: Baker }\n', ''],
      [' AND ({{ baker }} IS NULL OR l.baker = {{ baker }})', ''],
    ],
    changes: ['breaking params.baker removed: requests with this parameter are rejected', SQL_CHANGED],
  },
  {
    name: 'a new optional parameter',
    edits: [
      ['  from:', '  crust: { in: query, type: boolean, default: false, description: Crust }\n  from:'],
      ['ORDER BY', '{% if crust %}AND l.crust = 1{% endif %} ORDER BY'],
    ],
    changes: ['compatible params.crust added: requests need not send it', SQL_CHANGED],
  },
  {
    name: 'a new required parameter',
    edits: [
      ['  from:', '  crust: { in: query, type: string, required: true, description: Crust }\n  from:'],
      ['ORDER BY', 'AND l.crust = {{ crust }} ORDER BY'],
    ],
    changes: ['breaking params.crust added: requests without this required parameter are rejected', SQL_CHANGED],
  },
  {
    name: 'a new name of a parameter',
    edits: [
      [
        '  baker: { in: query, type: string, description: Baker }',
        '  cook: { in: query, type: string, description: Cook }',
      ],
      ['({{ baker }} IS NULL OR l.baker = {{ baker }})', '({{ cook }} IS NULL OR l.baker = {{ cook }})'],
    ],
    changes: [
      'breaking params.cook renamed: baker → cook; requests with the earlier name are rejected',
      SQL_CHANGED,
      `cosmetic params.cook.description changed: ${DOCUMENTATION}`,
    ],
  },
  {
    name: 'a parameter that becomes required',
    edits: [['type: string, description: Baker', 'type: string, required: true, description: Baker']],
    changes: ['breaking params.baker.required changed: false → true; requests without this parameter are rejected'],
  },
  {
    name: 'a parameter that becomes optional',
    both: [['type: string, description: Baker', 'type: string, required: true, description: Baker']],
    edits: [['type: string, required: true, description: Baker', 'type: string, default: ann, description: Baker']],
    changes: ['compatible params.baker.required changed: true → false; requests need not send it'],
  },
  {
    name: 'a narrower type',
    edits: [['baker: { in: query, type: string,', 'baker: { in: query, type: integer,']],
    changes: [
      'breaking params.baker.type changed: string → integer; values of the earlier type are rejected, or read in another way',
    ],
  },
  {
    name: 'a wider type',
    edits: [['type: integer, minimum: 10, maximum: 500', 'type: number, minimum: 10, maximum: 500']],
    changes: [
      'compatible params.least.type changed: integer → number; every value that was accepted is still accepted',
    ],
  },
  {
    name: 'text instead of a number, which must match a pattern',
    edits: [
      ['type: integer, minimum: 10, maximum: 500, default: 10', "type: string, pattern: '^1', default: '10'"],
      ['example: 20', "example: '10'"],
    ],
    changes: [
      'breaking params.least.type changed: integer → string; values of the earlier type are rejected, or read in another way',
      `cosmetic params.least.example changed: 20 → 10; ${DOCUMENTATION}`,
    ],
  },
  {
    name: 'a removed value of an enum',
    edits: [
      ['[weight, kind, age]', '[weight, age]'],
      ['{% when "kind" %}l.kind', ''],
    ],
    changes: ['breaking params.sort.enum removed: ["kind"]; requests with these values are rejected', SQL_CHANGED],
  },
  {
    name: 'a new value of an enum',
    edits: [['[weight, kind, age]', '[weight, kind, age, size]']],
    changes: [`compatible params.sort.enum added: ["size"]; ${MORE}`],
  },
  {
    name: 'another order of an enum',
    edits: [['[weight, kind, age]', '[age, kind, weight]']],
    changes: [
      'cosmetic params.sort.enum reordered: ["weight","kind","age"] → ["age","kind","weight"]; the documentation shows the values in another order',
    ],
  },
  {
    name: 'an enum instead of any text',
    edits: [['baker: { in: query, type: string,', 'baker: { in: query, enum: [ann, bob],']],
    changes: ['breaking params.baker.enum added: ["ann","bob"]; only these values are accepted'],
  },
  {
    name: 'any text instead of an enum',
    both: [['baker: { in: query, type: string,', 'baker: { in: query, enum: [ann, bob],']],
    edits: [['enum: [ann, bob]', 'type: string']],
    changes: [`compatible params.baker.enum removed: ["ann","bob"]; ${MORE}`],
  },
  {
    name: 'text that does not accept each value of the earlier enum',
    both: [['baker: { in: query, type: string,', 'baker: { in: query, enum: [ann, robert],']],
    edits: [['enum: [ann, robert]', 'type: string, maxLength: 3']],
    changes: ['breaking params.baker.enum removed: ["robert"]; requests with these values are rejected'],
  },
  {
    name: 'a query for values',
    edits: [
      [
        'baker: { in: query, type: string,',
        'baker: { in: query, type: string, enum: { sql: SELECT name FROM bakers },',
      ],
    ],
    changes: [
      'breaking params.baker.enum added: SELECT name FROM bakers; only the values that the query returns are accepted',
    ],
  },
  {
    name: 'another query for values',
    both: [
      [
        'baker: { in: query, type: string,',
        'baker: { in: query, type: string, enum: { sql: SELECT name FROM bakers },',
      ],
    ],
    edits: [['{ sql: SELECT name FROM bakers }', '{ sql: SELECT name FROM cooks, refresh: 2h }']],
    changes: [
      'breaking params.baker.enum changed: SELECT name FROM bakers → SELECT name FROM cooks; it is not known whether each value that was accepted is still accepted',
      'compatible params.baker.enum.refresh changed: 3600000 ms → 7200000 ms; new values are accepted earlier or later',
    ],
  },
  {
    name: 'no query for values',
    both: [
      [
        'baker: { in: query, type: string,',
        'baker: { in: query, type: string, enum: { sql: SELECT name FROM bakers },',
      ],
    ],
    edits: [[' enum: { sql: SELECT name FROM bakers },', '']],
    changes: [`compatible params.baker.enum removed: SELECT name FROM bakers; ${MORE}`],
  },
  {
    name: 'another default',
    edits: [['default: weight', 'default: kind']],
    changes: [`breaking params.sort.default changed: weight → kind; ${SILENT}`],
  },
  {
    name: 'a new default of an optional parameter',
    edits: [['type: string, description: Baker', 'type: string, default: ann, description: Baker']],
    changes: [`breaking params.baker.default added: ann; ${SILENT}`],
  },
  {
    name: 'tighter bounds of a number',
    edits: [['minimum: 10, maximum: 500, default: 10', 'minimum: 12, maximum: 400, default: 12']],
    changes: [
      `breaking params.least.minimum changed: 10 → 12; ${BELOW}`,
      `breaking params.least.maximum changed: 500 → 400; ${ABOVE}`,
      `breaking params.least.default changed: 10 → 12; ${SILENT}`,
    ],
  },
  {
    name: 'looser bounds of a number',
    edits: [['minimum: 10, maximum: 500', 'minimum: 5, maximum: 9007199254740991']],
    changes: [
      `compatible params.least.minimum changed: 10 → 5; ${LOOSER}`,
      `compatible params.least.maximum removed: 500; ${LOOSER}`,
    ],
  },
  {
    name: 'tighter and looser lengths',
    edits: [['minLength: 2, maxLength: 20', 'maxLength: 10']],
    changes: [
      `breaking params.kind.maxLength changed: 20 → 10; ${ABOVE}`,
      `compatible params.kind.minLength changed: 2 → 1; ${LOOSER}`,
    ],
  },
  {
    name: 'the default of a bound, written out',
    edits: [['type: string, description: Baker', 'type: string, minLength: 1, maxLength: 255, description: Baker']],
    changes: [],
  },
  {
    name: 'another pattern',
    edits: [["'^[a-z]+$'", "'^[a-z-]+$'"]],
    changes: [
      'breaking params.kind.pattern changed: ^[a-z]+$ → ^[a-z-]+$; values that only the earlier pattern matches are rejected; it is not known whether such values exist',
    ],
  },
  {
    name: 'a new and a removed pattern',
    edits: [
      [", pattern: '^[a-z]+$'", ''],
      ['type: string, description: Baker', "type: string, pattern: '^[a-z]', description: Baker"],
    ],
    changes: [
      'breaking params.baker.pattern added: ^[a-z]; values that do not match it are rejected',
      `compatible params.kind.pattern removed: ^[a-z]+$; ${MORE}`,
    ],
  },
  {
    name: 'shorter lists of other items',
    edits: [
      [
        'items: { type: integer, minimum: 1 }, minItems: 1, maxItems: 5',
        'items: { type: integer, minimum: 0 }, maxItems: 4',
      ],
    ],
    changes: [
      `breaking params.sizes.maxItems changed: 5 → 4; ${ABOVE}`,
      `compatible params.sizes.items.minimum changed: 1 → 0; ${LOOSER}`,
    ],
  },
  {
    name: 'days instead of text, and text instead of days',
    edits: [
      ['type: string, description: Baker', 'type: string, format: date, description: Baker'],
      ['type: string, format: date, default: 2000-01-01, notAfter: to', "type: string, default: '2000-01-01'"],
    ],
    changes: [
      'breaking params.baker.format added: date; values of the earlier format are rejected',
      `compatible params.from.format removed: date; ${MORE}`,
      `compatible params.from.notAfter removed: to; ${MORE}`,
    ],
  },
  {
    name: 'a new order of two parameters',
    both: [[', notAfter: to', '']],
    edits: [['default: 2000-01-01,', 'default: 2000-01-01, notAfter: to,']],
    changes: ['breaking params.from.notAfter added: to; values after that parameter are rejected'],
  },
  {
    name: 'other pages',
    edits: [['{ default: 30, max: 100 }', '{ default: 20, max: 50 }']],
    changes: [
      'breaking pagination.default changed: 30 → 20; requests without page_size silently get another number of rows',
      'breaking pagination.max changed: 100 → 50; requests with a larger page_size are rejected',
    ],
  },
  {
    name: 'larger pages',
    edits: [['max: 100 }', 'max: 200 }']],
    changes: [`compatible pagination.max changed: 100 → 200; ${MORE}`],
  },
  {
    name: 'a total',
    edits: [['max: 100 }', 'max: 100, total: true }']],
    changes: ['compatible total added: programs need not read it'],
  },
  {
    name: 'no total',
    both: [['max: 100 }', 'max: 100, total: true }']],
    edits: [[', total: true', '']],
    changes: ['breaking total removed: programs do not find the number of all rows'],
  },
  {
    name: 'no cursors',
    edits: [['{% endcase %}, l.id', '{% endcase %}, (SELECT 1), l.id']],
    changes: [
      'breaking next_cursor removed: requests with cursor are rejected, and programs find no cursor of the next page',
      SQL_CHANGED,
    ],
  },
  {
    name: 'no sources',
    both: [['columns:', `notices: [{ when: always, sql: "${SOURCES}" }]\ncolumns:`]],
    edits: [[SOURCES, "SELECT 'Loaves of today are missing.' AS notice"]],
    changes: [
      'breaking sources removed: programs do not find the sources of the data and their shares',
      'compatible notices changed: rows stay the same, but their freshness or notices may change',
    ],
  },
  {
    name: 'no pages',
    edits: [['pagination: { default: 30, max: 100 }\n', '']],
    changes: ['breaking pagination removed: {"default":30,"max":100}; requests with page or page_size are rejected'],
  },
  {
    name: 'new pages',
    both: NO_PAGES,
    edits: [['limits: { rows: 100 }', 'pagination: { default: 30, max: 100 }']],
    changes: ['breaking pagination added: {"default":30,"max":100}; requests without a page get only the first one'],
  },
  {
    name: 'fewer rows',
    both: NO_PAGES,
    edits: [['rows: 100', 'rows: 50']],
    changes: ['breaking limits.rows changed: 100 → 50; answers with more rows are truncated'],
  },
  {
    name: 'more rows of streams',
    both: [...NO_PAGES, ['rows: 100', 'rows: 100, stream_rows: 2000']],
    edits: [['stream_rows: 2000', 'stream_rows: 3000']],
    changes: ['compatible limits.stream_rows changed: 2000 → 3000; CSV, NDJSON and Arrow are truncated less often'],
  },
  {
    name: 'fewer rows of streams',
    both: [...NO_PAGES, ['rows: 100', 'rows: 100, stream_rows: 2000']],
    edits: [['stream_rows: 2000', 'stream_rows: 1000']],
    changes: ['breaking limits.stream_rows changed: 2000 → 1000; CSV, NDJSON and Arrow with more rows are truncated'],
  },
  {
    name: 'new streams',
    both: NO_PAGES,
    edits: [['rows: 100', 'rows: 100, stream_rows: 2000']],
    changes: ['compatible limits.stream_rows added: 2000; CSV, NDJSON and Arrow are truncated less often'],
  },
  {
    name: 'no streams any more',
    both: [...NO_PAGES, ['rows: 100', 'rows: 100, stream_rows: 2000']],
    edits: [[', stream_rows: 2000', '']],
    changes: ['breaking limits.stream_rows removed: 2000; CSV, NDJSON and Arrow with more rows are truncated'],
  },
  {
    name: 'more rows, and other limits and storage',
    both: NO_PAGES,
    edits: [['rows: 100 }', 'rows: 1000, timeout: 5s, concurrency: 2 }\nserve_stale: 30s\ncache: { ttl: 1m }']],
    changes: [
      'compatible limits.rows changed: 100 → 1000; fewer answers are truncated',
      'compatible limits.timeout changed: 10000 ms → 5000 ms; the same requests are answered, but a slow query ends earlier or later',
      'compatible cache.ttl added: 60000 ms; rows stay the same, but their age may change',
      'compatible serve_stale added: 30000 ms; rows stay the same, but their age may change',
    ],
  },
  {
    name: 'a removed column',
    edits: [
      ['  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }\n', ''],
      ['l.id, l.kind, l.weight', 'l.id, l.weight'],
    ],
    changes: ['breaking columns.kind removed: programs that read the column find no cells', SQL_CHANGED],
  },
  {
    name: 'a new last column',
    edits: [
      ['sql: |', '  - { col: age, data_type: INT, nullable: false, description: Days }\nsql: |'],
      ['l.id, l.kind, l.weight', 'l.id, l.kind, l.weight, l.age'],
    ],
    changes: ['compatible columns.age added: programs that read the other columns find them unchanged', SQL_CHANGED],
  },
  {
    name: 'a new first column',
    edits: [
      ['columns:\n', 'columns:\n  - { col: age, data_type: INT, nullable: false, description: Days }\n'],
      ['l.id, l.kind, l.weight', 'l.age, l.id, l.kind, l.weight'],
    ],
    changes: [
      'compatible columns.age added: programs that read the other columns find them unchanged',
      'compatible columns reordered: id, kind, weight → age, id, kind, weight; rows name their cells; only programs that read the list of columns by position are affected',
      SQL_CHANGED,
    ],
  },
  {
    name: 'a new name of a column',
    edits: [
      ['col: kind', 'col: sort_of_loaf'],
      ['l.id, l.kind, l.weight', 'l.id, l.kind AS sort_of_loaf, l.weight'],
    ],
    changes: [
      'breaking columns.sort_of_loaf renamed: kind → sort_of_loaf; programs that read the earlier name find no cells',
      SQL_CHANGED,
    ],
  },
  {
    name: 'other types of columns',
    edits: [
      ['data_type: BIGINT', 'data_type: INT'],
      ['data_type: VARCHAR', 'data_type: DATE'],
      ['data_type: DECIMAL, scale: 2', 'data_type: DOUBLE, scale: 2'],
    ],
    changes: [
      'breaking columns.kind.data_type changed: VARCHAR → DATE; cells are written in another way',
      'breaking columns.weight.data_type changed: DECIMAL → DOUBLE; cells are written in another way',
      'compatible columns.id.data_type changed: BIGINT → INT; cells are written in the same way',
    ],
  },
  {
    name: 'a larger integer type',
    both: [['data_type: BIGINT', 'data_type: INT']],
    edits: [['data_type: INT', 'data_type: BIGINT']],
    changes: ['breaking columns.id.data_type changed: INT → BIGINT; cells are written in another way'],
  },
  {
    name: 'another scale, and cells that can be missing',
    edits: [
      ['scale: 2, nullable: true', 'scale: 3, nullable: false'],
      ['VARCHAR, nullable: false', 'VARCHAR, nullable: true'],
    ],
    changes: [
      'breaking columns.kind.nullable changed: false → true; cells can be missing, which programs do not expect',
      'breaking columns.weight.scale changed: 2 → 3; cells are rounded to another number of digits',
      'compatible columns.weight.nullable changed: true → false; cells are never missing',
    ],
  },
  {
    name: 'another query',
    edits: [['l.grams >=', 'l.grams >']],
    changes: [SQL_CHANGED],
  },
  {
    name: 'other metadata',
    edits: [
      [
        'sql: |',
        'data_as_of: SELECT MAX(baked_at) FROM loaves\nnotices: [{ when: empty, sql: "SELECT 1 AS notice FROM ovens" }]\nsql: |',
      ],
    ],
    changes: [
      'compatible data_as_of added: rows stay the same, but their freshness or notices may change',
      'compatible notices added: rows stay the same, but their freshness or notices may change',
    ],
  },
  {
    name: 'nothing of a JSON column',
    both: [['data_type: DECIMAL, scale: 2,', 'data_type: JSON,']],
    edits: [],
    changes: [],
  },
  {
    name: 'the description of a JSON column',
    both: [['data_type: DECIMAL, scale: 2,', 'data_type: JSON,']],
    edits: [['Kilograms', 'Facts']],
    changes: [`cosmetic columns.weight.description changed: ${DOCUMENTATION}`],
  },
  {
    name: 'a list',
    both: NESTABLE,
    edits: [['sql: |', `${LIST}sql: |`]],
    changes: [`breaking columns.weight.list added: weights; ${MOVED}`],
  },
  {
    name: 'the name of a list, and another column in it',
    both: [...NESTABLE, ['sql: |', `${LIST}sql: |`]],
    edits: [
      ['weights: { columns: [weight]', 'loaves: { columns: [weight, age]'],
      ['Kilograms }', 'Kilograms }\n  - { col: age, data_type: INT, nullable: true, description: Days }'],
      ['l.kind, l.weight\n', 'l.kind, l.weight, l.age\n'],
    ],
    changes: [
      `breaking columns.weight.list changed: weights → loaves; ${MOVED}`,
      'compatible columns.age added: programs that read the other columns find them unchanged',
      SQL_CHANGED,
    ],
  },
  {
    name: 'the key of the parents',
    both: [...NESTABLE, ['sql: |', `${LIST}sql: |`]],
    edits: [[', by: [id]', '']],
    changes: [
      'breaking nest.by changed: id → all columns that are not nested; other rows become one object in /q, NDJSON and MCP',
    ],
  },
  {
    name: 'a deprecation',
    edits: [['params:\n', 'deprecated: 2026-11-01\nsunset: 2027-05-01\nparams:\n']],
    changes: [
      'compatible deprecated added: 2026-11-01; answers stay the same; only their headers and the documentation change',
      'compatible sunset added: 2027-05-01; answers stay the same; only their headers and the documentation change',
    ],
  },
  {
    name: 'an earlier end',
    both: [['params:\n', 'deprecated: 2026-11-01\nsunset: 2027-05-01\nparams:\n']],
    edits: [['sunset: 2027-05-01', 'sunset: 2027-04-01']],
    changes: ['breaking sunset changed: 2027-05-01 → 2027-04-01; callers have less time than was announced'],
  },
  {
    name: 'texts for readers',
    edits: [
      ['summary: Loaves of an oven', 'summary: Loaves'],
      ['description: All loaves.\n', ''],
      ['tags: [Loaves]', 'tags: [Bread]'],
      ['which loaves are in the oven {oven}', 'loaves of the oven {oven}'],
      ['description: Name of the oven', 'description: The oven'],
      ['description: Grams, example: 20', 'description: Grams, example: 30'],
      ['description: Kilograms', 'description: Weight in kilograms'],
      ['sql: |', 'examples: [{ name: one, params: { oven: stone } }]\nsql: |'],
    ],
    changes: [
      `cosmetic summary changed: ${DOCUMENTATION}`,
      `cosmetic description removed: ${DOCUMENTATION}`,
      `cosmetic tags changed: ${DOCUMENTATION}`,
      `cosmetic questions changed: ${DOCUMENTATION}`,
      `cosmetic examples added: ${DOCUMENTATION}`,
      `cosmetic params.oven.description changed: ${DOCUMENTATION}`,
      `cosmetic params.least.example changed: 20 → 30; ${DOCUMENTATION}`,
      `cosmetic columns.weight.description changed: ${DOCUMENTATION}`,
    ],
  },
];

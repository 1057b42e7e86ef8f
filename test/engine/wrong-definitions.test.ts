import { expect } from 'chai';
import { problemsIn } from './fixtures.js';

const VALID = `name: list-loaves
path: /v1/ovens/{oven}/loaves/
summary: Loaves of an oven
params:
  oven: { in: path, type: string, description: Name of the oven }
  sort: { in: query, enum: [weight, kind], default: weight, description: Order }
  only_rye: { in: query, type: boolean, default: false, description: Only rye }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
sql: |
  SELECT l.id, l.kind
  FROM loaves l
  JOIN ovens o ON o.id = l.oven_id
  WHERE o.name = {{ oven }}
    {% if only_rye %}AND l.kind = 'rye'{% endif %}
  ORDER BY {% case sort %}{% when "weight" %}l.weight{% when "kind" %}l.kind{% endcase %}, l.id
examples:
  - { name: one oven, params: { oven: stone } }
`;

/** A change that makes the definition above invalid, and the single problem that must be reported. */
interface Mistake {
  readonly name: string;
  readonly edits: readonly (readonly [string, string])[];
  /** The expected problem in the form `line:column key: message`. */
  readonly problem: string;
}

// prettier-ignore
const MISTAKES: readonly Mistake[] = [
  {
    name: 'unknown-key',
    edits: [['summary:', 'sumary:']],
    problem: '3:1 sumary: unknown key (did you mean "summary"?)',
  },
  {
    name: 'unknown-param-word',
    edits: [['type: string,', 'type: string, maxlength: 3,']],
    problem: '5:35 params.oven.maxlength: unknown key (did you mean "maxLength"?)',
  },
  {
    name: 'param-prototype',
    edits: [['  oven: { in', '  __proto__: { in: query, type: string, description: Other }\n  oven: { in']],
    problem: '5:3 params.__proto__: invalid name (expected a name such as oven_id or ovenId, got "__proto__")',
  },
  {
    name: 'example-prototype',
    edits: [['params: { oven: stone }', 'params: { oven: stone, __proto__: [a] }']],
    problem: '19:46 examples.0.params.__proto__: "__proto__" is not a declared parameter',
  },
  {
    name: 'missing-key',
    edits: [['summary: Loaves of an oven\n', '']],
    problem: '1:1 the key "summary" is missing',
  },
  {
    name: 'name-not-kebab',
    edits: [['list-loaves', 'listLoaves']],
    problem: '1:7 name: invalid value (expected kebab-case, such as list-loaves, got "listLoaves")',
  },
  {
    name: 'path-dot-segment',
    edits: [['path: /v1/ovens/', 'path: /v1/../ovens/']],
    problem:
      '2:7 path: invalid value (expected a path such as /v1/ovens/{oven}/loaves/, got "/v1/../ovens/{oven}/loaves/")',
  },
  {
    name: 'name-reserved',
    edits: [['list-loaves', 'tables']],
    problem: '1:7 name: invalid value (expected a value other than playground, tables, got "tables")',
  },
  {
    name: 'path-not-v1',
    edits: [['/v1/ovens', '/v2/ovens']],
    problem: '2:7 path: wrong beginning of the path (expected /v1/…, got "/v2/ovens/{oven}/loaves/")',
  },
  {
    name: 'undeclared',
    edits: [['{{ oven }}', '{{ ovn }}']],
    problem: '15:21 sql: ovn is not a parameter of this SQL (did you mean "oven"?)',
  },
  {
    name: 'unknown-parameter-in-question',
    edits: [['params:\n', 'questions:\n  - loaves of the oven {ovn}\n  - loaves by {sort}\nparams:\n']],
    problem: '5:24 questions.0: {ovn} is not a parameter of this definition (did you mean "oven"?)',
  },
  {
    name: 'brace-in-question',
    edits: [['params:\n', 'questions: ["loaves of {oven} in {the bakery}"]\nparams:\n']],
    problem: '4:34 questions.0: this brace is not part of a {parameter} (got loaves of {oven} in {the bakery})',
  },
  {
    name: 'same-question-twice',
    edits: [['params:\n', 'questions: [all loaves, all loaves]\nparams:\n']],
    problem: '4:12 questions: invalid value (expected a list without duplicates, got a list)',
  },
  {
    name: 'unused',
    edits: [['columns:\n', '  shelf: { in: query, type: integer, default: 1, description: Shelf }\ncolumns:\n']],
    problem: '8:3 params.shelf: the SQL does not use this parameter: write {{ shelf }} in it, or remove the parameter',
  },
  {
    name: 'path-param-missing',
    edits: [['{oven}/', '{ovens}/']],
    problem: '2:7 path: {ovens} is not a declared path parameter (did you mean "oven"?)',
  },
  {
    name: 'path-param-not-in-path',
    edits: [['/{oven}', '']],
    problem: '5:15 params.oven.in: the path does not contain {oven} (got /v1/ovens/loaves/)',
  },
  {
    name: 'default-outside',
    edits: [['default: weight', 'default: wieght']],
    problem:
      '6:53 params.sort.default: invalid value for this parameter (did you mean "weight"?) (expected one of weight, kind, got "wieght")',
  },
  {
    name: 'default-type',
    edits: [['default: false', 'default: "no"']],
    problem: '7:51 params.only_rye.default: invalid value for this parameter (expected true or false, got "no")',
  },
  {
    name: 'enum-mixed',
    edits: [['[weight, kind]', '[weight, 5]']],
    problem:
      '6:37 params.sort.enum.1: all values of an enum must have one type (expected text; quote values that YAML reads as another type, got 5)',
  },
  {
    name: 'enum-twice',
    edits: [['[weight, kind]', '[weight, kind, kind]']],
    problem: '6:43 params.sort.enum.2: the enum contains this value twice (got "kind")',
  },
  {
    name: 'enum-yes',
    edits: [['[weight, kind]', '[weight, true]']],
    problem: '6:37 params.sort.enum.1: invalid value (expected text or a number, got true)',
  },
  {
    name: 'min-over-max',
    edits: [['type: string,', 'type: string, minLength: 9, maxLength: 3,']],
    problem: '5:46 params.oven.minLength: minLength is greater than maxLength (expected at most 3, got 9)',
  },
  {
    name: 'bad-regex',
    edits: [['type: string,', 'type: string, pattern: "[a-",']],
    problem: '5:45 params.oven.pattern: invalid regular expression (got [a-)',
  },
  {
    name: 'slow-regex',
    edits: [['type: string,', 'type: string, pattern: "^(?!x)(a+)+$",']],
    problem:
      '5:45 params.oven.pattern: unsupported regular expression: invalid or unsupported Perl syntax: `(?!` ' +
      '(expected no look-around, no back-references and no repetitions beyond 1000, got ^(?!x)(a+)+$)',
  },
  {
    name: 'bad-timeout',
    edits: [['examples:', 'limits: { timeout: 5 seconds }\nexamples:']],
    problem: '18:20 limits.timeout: invalid value (expected a duration such as 500ms, 5s or 1m, got "5 seconds")',
  },
  {
    name: 'bad-ttl',
    edits: [['examples:', 'cache: { ttl: 0s }\nexamples:']],
    problem: '18:15 cache.ttl: invalid value (expected a duration such as 500ms, 60s, 5m or 1h, got "0s")',
  },
  {
    name: 'no-ttl',
    edits: [['examples:', 'cache: {}\nexamples:']],
    problem: '18:1 cache: the key "ttl" is missing',
  },
  {
    name: 'long-ttl',
    edits: [['examples:', 'cache: { ttl: 25h }\nexamples:']],
    problem: '18:15 cache.ttl: the time is too long (expected at most 24h)',
  },
  {
    name: 'bad-serve-stale',
    edits: [['examples:', 'serve_stale: 30\nexamples:']],
    problem: '18:14 serve_stale: invalid value (expected a duration such as 500ms, 30s or 5m, got 30)',
  },
  {
    name: 'long-serve-stale',
    edits: [['examples:', 'serve_stale: 2d\nexamples:']],
    problem: '18:14 serve_stale: the time is too long (expected at most 24h)',
  },
  {
    name: 'pagination-default',
    edits: [['examples:', 'pagination: { default: 50, max: 20 }\nexamples:']],
    problem:
      '18:24 pagination.default: the default page size exceeds the maximum page size (expected at most 20, got 50)',
  },
  {
    name: 'pagination-own-limit',
    edits: [
      [', l.id\n', ', l.id LIMIT 5\n'],
      ['examples:', 'pagination: { default: 5, max: 20 }\nexamples:'],
    ],
    problem: '18:1 pagination: pagination adds LIMIT and OFFSET, but the SQL already has LIMIT: remove the LIMIT',
  },
  {
    name: 'pagination-page',
    edits: [
      ['  only_rye: { in: query, type: boolean, default: false', '  page: { in: query, type: integer, default: 1'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.id > {{ page }}'],
      ['examples:', 'pagination: { default: 5, max: 20 }\nexamples:'],
    ],
    problem: '7:3 params.page: pagination already adds "page": remove this parameter',
  },
  {
    name: 'when-not-in-enum',
    edits: [['{% when "kind" %}', '{% when "kid" %}']],
    problem: '17:62 sql: sort is never "kid" (did you mean "kind"?) (expected one of "weight", "kind")',
  },
  {
    name: 'when-twice',
    edits: [['{% when "kind" %}', '{% when "weight" %}l.x{% when "kind" %}']],
    problem: '17:62 sql: "weight" already has a branch above',
  },
  {
    name: 'case-incomplete',
    edits: [['{% when "kind" %}l.kind', '']],
    problem: '17:12 sql: {% case sort %} has no branch for "kind": add {% when %} or {% else %}',
  },
  {
    name: 'else-unreached',
    edits: [['l.kind{% endcase %}', 'l.kind{% else %}l.id{% endcase %}']],
    problem: '17:77 sql: this {% else %} is unreachable: no value of a parameter selects it',
  },
  {
    name: 'condition-over-string',
    edits: [['{% if only_rye %}', '{% if oven == "stone" and only_rye %}']],
    problem:
      '16:11 sql: a condition can test only enums, booleans and lists, but oven has the type string: the text of the query must not depend on caller input; bind the value instead, for example ({{ oven }} IS NULL OR column = {{ oven }})',
  },
  {
    name: 'if-always',
    edits: [['{% if only_rye %}', '{% if sort %}AND 1 = 1{% else %}AND 1 = 2{% endif %} {% if only_rye %}']],
    problem: '16:27 sql: this {% else %} is unreachable: no value of a parameter selects it',
  },
  {
    name: 'in-string',
    edits: [['o.name = {{ oven }}', "o.name LIKE '%{{ oven }}%'"]],
    problem:
      "15:23 sql: {{ oven }} is inside a string literal: bind it outside, for example CONCAT('%', {{ oven }}, '%')",
  },
  {
    name: 'in-double-quoted',
    edits: [['o.name = {{ oven }}', 'o.name LIKE "{{ oven }}"']],
    problem:
      "15:22 sql: {{ oven }} is inside a string literal: bind it outside, for example CONCAT('%', {{ oven }}, '%')",
  },
  {
    name: 'in-quoted-name',
    edits: [['l.kind\n', 'l.kind AS `{{ oven }}`\n']],
    problem: '12:27 sql: {{ oven }} is inside a quoted name: names cannot be bound, select a fragment with {% case %}',
  },
  {
    name: 'as-alias',
    edits: [['l.kind\n', 'l.kind AS {{ oven }}\n']],
    problem:
      '12:26 sql: {{ oven }} is where SQL requires a name or a keyword: only values can be bound, select a fragment with {% case %}',
  },
  {
    name: 'as-alias-bare',
    edits: [['l.kind\n', 'l.kind {{ oven }}\n']],
    problem:
      '12:23 sql: {{ oven }} is where SQL requires a name or a keyword: only values can be bound, select a fragment with {% case %}',
  },
  {
    name: 'as-table',
    edits: [['FROM loaves l', 'FROM {{ oven }} l']],
    problem:
      '13:8 sql: {{ oven }} is where SQL requires a name or a keyword: only values can be bound, select a fragment with {% case %}',
  },
  {
    name: 'as-table-in-parentheses',
    edits: [['FROM loaves l', 'FROM ({{ oven }}) l']],
    problem:
      '13:9 sql: {{ oven }} is where SQL requires a name or a keyword: only values can be bound, select a fragment with {% case %}',
  },
  {
    name: 'as-schema',
    edits: [['FROM loaves l', 'FROM bakery.{{ oven }} l']],
    problem:
      '13:15 sql: {{ oven }} is where SQL requires a name or a keyword: only values can be bound, select a fragment with {% case %}',
  },
  {
    name: 'in-comment',
    edits: [['FROM loaves l', 'FROM loaves l -- {{ oven }}']],
    problem: '13:20 sql: {{ oven }} is inside a comment: remove it',
  },
  {
    name: 'in-order-by',
    edits: [['{% endcase %}', '{% endcase %}, {{ oven }} DESC']],
    problem: '17:92 sql: {{ oven }} in ORDER BY is a constant and has no effect: select a fragment with {% case %}',
  },
  {
    name: 'in-group-by',
    edits: [['  ORDER BY', '  GROUP BY {{ sort }}\n  ORDER BY']],
    problem: '17:12 sql: {{ sort }} in GROUP BY is a constant and has no effect: select a fragment with {% case %}',
  },
  {
    name: 'as-keyword',
    edits: [['{% endcase %}, l.id', '{% endcase %}, l.id {{ sort }}']],
    problem:
      '17:97 sql: {{ sort }} is where SQL requires a name or a keyword: only values can be bound, select a fragment with {% case %}',
  },
  {
    name: 'as-unit',
    edits: [["AND l.kind = 'rye'", 'AND TIMESTAMPDIFF({{ sort }}, l.day, l.day) > 1']],
    problem: '16:40 sql: TIMESTAMPDIFF requires a keyword here, not a value: select a fragment with {% case %}',
  },
  {
    name: 'two-statements',
    edits: [['FROM loaves l\n', 'FROM loaves l; DELETE FROM loaves; SELECT 1\n']],
    problem: '13:16 sql: the SQL has more than one statement: write one SELECT',
  },
  {
    name: 'into',
    edits: [['l.kind\n', 'l.kind INTO @x\n']],
    problem: '12:23 sql: a query cannot write: remove INTO',
  },
  {
    name: 'for-update',
    edits: [[', l.id\n', ', l.id FOR UPDATE\n']],
    problem: '17:97 sql: a query cannot lock rows: remove FOR',
  },
  {
    name: 'syntax',
    edits: [['JOIN ovens o ON', 'JOIN ovens o NO']],
    problem: '14:16 sql: not SQL: "NO" is unexpected here',
  },
  {
    name: 'syntax-in-branch',
    edits: [["AND l.kind = 'rye'", "AND AND l.kind = 'rye'"]],
    problem: '16:30 sql: not SQL: "l" is unexpected here (when only_rye = true, sort = "weight")',
  },
  {
    name: 'trailing-comma',
    edits: [['l.id, l.kind\n', 'l.id, l.kind,\n']],
    problem: '12:22 sql: not SQL: nothing follows the comma',
  },
  {
    name: 'columns-differ',
    edits: [['l.id, l.kind\n', 'l.id, l.knd\n']],
    problem: '12:3 sql: the SELECT returns the wrong columns: expected id, kind, got id, knd',
  },
  {
    name: 'columns-unnamed',
    edits: [['l.id, l.kind\n', 'l.id, UPPER(l.kind)\n']],
    problem: '12:3 sql: column 2 of the SELECT has no name: add one with AS',
  },
  {
    name: 'columns-more',
    edits: [['l.id, l.kind\n', 'l.id, l.kind, l.weight\n']],
    problem: '12:3 sql: the SELECT returns the wrong columns: expected id, kind, got id, kind, weight',
  },
  {
    name: 'clock',
    edits: [["AND l.kind = 'rye'", 'AND l.day = CURDATE()']],
    problem: '16:34 sql: CURDATE reads the clock of the database: use {{ today }}, the clock of the service in UTC',
  },
  {
    name: 'clock-unix',
    edits: [["AND l.kind = 'rye'", 'AND UNIX_TIMESTAMP(l.day) < UNIX_TIMESTAMP()']],
    problem:
      '16:26 sql: UNIX_TIMESTAMP reads the clock of the database: use {{ now }}, the clock of the service in UTC',
  },
  {
    name: 'random',
    edits: [[', l.id\n', ', RAND()\n']],
    problem: '17:92 sql: RAND makes every answer different: remove it',
  },
  {
    name: 'collation',
    edits: [["AND l.kind = 'rye'", "AND l.kind = 'rye' COLLATE utf8mb4_bin"]],
    problem:
      '16:41 sql: every database compares text by its exact bytes: remove COLLATE, or compare LOWER(x) on both sides',
  },
  ...[
    "CONVERT('rye' USING utf8mb4)",
    "CAST('rye' AS CHAR CHARACTER SET utf8mb4)",
    "_utf8mb4'rye'",
    'CHAR(9 USING utf8mb4)',
  ].map((text) => ({
    name: `character-set-${text.charAt(2)}-${text.length}`,
    edits: [["AND l.kind = 'rye'", `AND l.kind = ${text}`]] as const,
    problem: `16:${35 + text.indexOf(/_utf8mb4/.test(text) ? '_utf8mb4' : 'utf8mb4')} sql: every database compares text by its exact bytes, except text with a named character set: write 'x' or CAST(x AS CHAR)`,
  })),
  {
    name: 'sleep',
    edits: [["AND l.kind = 'rye'", 'AND SLEEP(3) = 0']],
    problem: '16:26 sql: SLEEP reads or changes the server, not the data: remove it',
  },
  {
    name: 'user-variable',
    edits: [["AND l.kind = 'rye'", 'AND l.id = @x']],
    problem: '16:33 sql: user variables keep state between queries: use a WITH or a window function',
  },
  {
    name: 'own-marker',
    edits: [["AND l.kind = 'rye'", 'AND l.id = ?']],
    problem: '16:33 sql: bind a value with {{ name }}, not with a marker',
  },
  {
    name: 'own-named-marker',
    edits: [["AND l.kind = 'rye'", 'AND l.id = :id']],
    problem: '16:33 sql: bind a value with {{ name }}, not with the marker :id',
  },
  {
    name: 'tag-for',
    edits: [["AND l.kind = 'rye'", '{% for x in y %}{{ x }}{% endfor %}']],
    problem: '16:22 sql: unknown tag {% for %} (expected if, unless, case, once)',
  },
  {
    name: 'tag-unclosed',
    edits: [['{% endif %}', '']],
    problem: '16:5 sql: {% if %} is not closed (expected {% endif %})',
  },
  {
    name: 'tag-elif',
    edits: [['{% endif %}', '{% elif only_rye %}{% endif %}']],
    problem: '16:40 sql: unknown tag {% elif %} (did you mean "elsif"?) (expected if, unless, case, once)',
  },
  {
    name: 'tag-wrong-end',
    edits: [['{% endif %}', '{% endunless %}']],
    problem: '16:40 sql: {% endunless %} is not allowed here, inside {% if %}',
  },
  {
    name: 'filter-unknown',
    edits: [['{{ oven }}', '{{ oven | upcas }}']],
    problem:
      '15:28 sql: unknown filter upcas (did you mean "upcase"?) (expected one of upcase, downcase, strip, append, prepend, plus, minus, size)',
  },
  {
    name: 'filter-kind',
    edits: [['{{ oven }}', '{{ oven | plus: 1 }}']],
    problem: '15:28 sql: the filter plus requires a number, not a text',
  },
  {
    name: 'filter-size',
    edits: [['{{ oven }}', '{{ oven | size }}']],
    problem: '15:28 sql: the filter size requires a list, not a text',
  },
  {
    name: 'output-open',
    edits: [['{{ oven }}', '{{ oven']],
    problem: '15:18 sql: {{ is not closed',
  },
  {
    name: 'output-literal',
    edits: [['{{ oven }}', '{{ "x" }}']],
    problem: '15:18 sql: {{ }} binds one parameter: {{ name }} or {{ name | filter }}',
  },
  {
    name: 'output-property',
    edits: [['{{ oven }}', '{{ oven.length }}']],
    problem: '15:18 sql: {{ }} binds one parameter: {{ name }} or {{ name | filter }}',
  },
  {
    name: 'duplicate-key',
    edits: [['summary: Loaves of an oven\n', 'summary: Loaves of an oven\nsummary: Again\n']],
    problem: '4:1 not YAML: duplicated mapping key: remove one of them',
  },
  {
    name: 'tabs',
    edits: [['  oven:', '	oven:']],
    problem: '5:1 not YAML: tab characters must not be used in indentation: indent with spaces',
  },
  {
    name: 'alias',
    edits: [['summary: Loaves of an oven', 'summary: &s Loaves of an oven\ndescription: *s']],
    problem: '4:15 not YAML: aliases are not supported, repeat the value',
  },
  {
    name: 'example-param',
    edits: [['{ oven: stone }', '{ oven: stone, srot: kind }']],
    problem: '19:46 examples.0.params.srot: "srot" is not a declared parameter (did you mean "sort"?)',
  },
  {
    name: 'example-value',
    edits: [['{ oven: stone }', '{ oven: stone, sort: knd }']],
    problem:
      '19:52 examples.0.params.sort: invalid value for this parameter (did you mean "kind"?) (expected one of weight, kind, got "knd")',
  },
  {
    name: 'example-missing',
    edits: [['{ oven: stone }', '{ sort: kind }']],
    problem: '19:23 examples.0.params: the example has no value for the required parameter "oven"',
  },
  {
    name: 'example-row',
    edits: [['{ oven: stone }', '{ oven: stone }, rows: [{ id: "1", knd: rye }]']],
    problem: '19:66 examples.0.rows.0.knd: "knd" is not a declared column (did you mean "kind"?)',
  },
  {
    name: 'type-missing',
    edits: [['in: path, type: string', 'in: path']],
    problem: '5:3 params.oven: the key "type" is missing: it is optional only with a list in enum',
  },
  {
    name: 'stray-word',
    edits: [['type: boolean,', 'type: boolean, minLength: 2,']],
    problem:
      '7:41 params.only_rye.minLength: minLength does not apply to a parameter of type boolean (expected no such keyword)',
  },
  {
    name: 'notafter',
    edits: [['default: weight,', 'default: weight, notAfter: only_rye,']],
    problem: '6:71 params.sort.notAfter: notAfter requires two numbers or two dates of the same type',
  },
  {
    name: 'notafter-unknown',
    edits: [['default: weight,', 'default: weight, notAfter: only_ry,']],
    problem: '6:71 params.sort.notAfter: "only_ry" is not another parameter (did you mean "only_rye"?)',
  },
  {
    name: 'reserved',
    edits: [
      ['only_rye: {', 'now: {'],
      ['{% if only_rye %}', '{% if now %}'],
    ],
    problem: '7:3 params.now: "now" is a reserved name in templates: choose another name',
  },
  {
    name: 'reserved-today',
    edits: [
      ['only_rye: {', 'today: {'],
      ['{% if only_rye %}', '{% if today %}'],
    ],
    problem: '7:3 params.today: "today" is a reserved name in templates: choose another name',
  },
  {
    name: 'today-alone',
    edits: [['ORDER BY', 'ORDER BY {{ today }},']],
    problem: '17:12 sql: {{ today }} in ORDER BY is a constant and has no effect: select a fragment with {% case %}',
  },
  {
    name: 'any-value-without-group',
    edits: [['l.id, l.kind\n', 'l.id, ANY_VALUE(l.kind) AS kind\n']],
    problem: '12:16 sql: ANY_VALUE needs a group: add GROUP BY, or write MIN',
  },
  {
    name: 'column-twice',
    edits: [
      ['  - { col: kind', '  - { col: id'],
      ['l.id, l.kind\n', 'l.id, l.id\n'],
    ],
    problem: '10:12 columns.1.col: the column "id" is declared twice',
  },
  {
    name: 'scale',
    edits: [['data_type: VARCHAR,', 'data_type: VARCHAR, scale: 2,']],
    problem: '10:38 columns.1.scale: scale does not apply to VARCHAR',
  },
  {
    name: 'unit-of-text',
    edits: [['data_type: VARCHAR,', 'data_type: VARCHAR, unit: g,']],
    problem: '10:38 columns.1.unit: unit does not apply to VARCHAR',
  },
  {
    name: 'format-of-text',
    edits: [['data_type: VARCHAR,', 'data_type: VARCHAR, format: share,']],
    problem: '10:38 columns.1.format: format does not apply to VARCHAR (share)',
  },
  {
    name: 'date-of-number',
    edits: [['data_type: BIGINT', 'data_type: BIGINT, format: date']],
    problem: '9:35 columns.0.format: format does not apply to BIGINT (date)',
  },
  {
    name: 'unknown-format',
    edits: [['data_type: BIGINT', 'data_type: BIGINT, format: percents']],
    problem: '9:43 columns.0.format: invalid value (did you mean "percent"?) (got "percents")',
  },
  {
    name: 'sentence-without-column',
    edits: [['sql: |', "sentence: 'The first loaf is {kinds}.'\nsql: |"]],
    problem: '11:30 sentence: {kinds} is not a column (did you mean "kind"?)',
  },
  {
    name: 'sentence-with-brace',
    edits: [['sql: |', "sentence: 'A { brace.'\nsql: |"]],
    problem: '11:14 sentence: this brace is not part of a {column}',
  },
  {
    name: 'label-twice',
    edits: [
      ['{ col: id,', '{ col: id, label: Loaf,'],
      ['{ col: kind,', '{ col: kind, label: Loaf,'],
    ],
    problem: '10:25 columns.1.label: two columns have the label "Loaf"',
  },
  {
    name: 'null-as-without-null',
    edits: [['data_type: BIGINT', 'data_type: BIGINT, null_as: unknown']],
    problem: '9:35 columns.0.null_as: null_as does not apply to a column that is not nullable',
  },
  {
    name: 'data-type',
    edits: [['VARCHAR', 'VARCHR']],
    problem: '10:29 columns.1.data_type: invalid value (did you mean "VARCHAR"?) (got "VARCHR")',
  },
  {
    name: 'array-no-max',
    edits: [
      ['type: boolean, default: false', 'type: array, items: { type: string }, default: [rye]'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.kind IN ({{ only_rye }})'],
    ],
    problem: '7:3 params.only_rye: an array needs the key "maxItems"',
  },
  {
    name: 'array-equals',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, items: { type: string }, default: [rye]'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.kind = {{ only_rye }}'],
    ],
    problem: '16:18 sql: {{ only_rye }} is a list of values: use it only in IN ({{ only_rye }})',
  },
  {
    name: 'array-optional',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, items: { type: string }'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.kind IN ({{ only_rye }})'],
    ],
    problem:
      '16:20 sql: only_rye can be absent here: use it inside {% if only_rye %} … {% endif %}, or give it a default or required: true',
  },
  {
    name: 'array-optional-in-the-wrong-branch',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, items: { type: string }'],
      [
        "{% if only_rye %}AND l.kind = 'rye'",
        '{% unless only_rye %}AND l.kind IN ({{ only_rye }}){% endunless %}{% if only_rye %}',
      ],
    ],
    problem:
      '16:41 sql: only_rye can be absent here: use it inside {% if only_rye %} … {% endif %}, or give it a default or required: true',
  },
  {
    name: 'array-compared',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, items: { type: string }'],
      ['{% if only_rye %}', '{% if only_rye == "rye" %}'],
    ],
    problem:
      '16:23 sql: only_rye is a list: a condition can test only whether it is present (expected {% if only_rye %})',
  },
  {
    name: 'array-empty-default',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, items: { type: string }, default: []'],
      ["AND l.kind = 'rye'", 'AND l.kind IN ({{ only_rye }})'],
    ],
    problem:
      '7:77 params.only_rye.default: a list cannot be empty: remove the default, and test with {% if only_rye %} whether a request has the list',
  },
  {
    name: 'similar-names',
    edits: [
      ['  sort:', '  onlyRye: { in: query, type: boolean, default: false, description: Rye }\n  sort:'],
      ['{% if only_rye %}', '{% if onlyRye or only_rye %}'],
    ],
    problem: '8:3 params.only_rye: "only_rye" and "onlyRye" differ only in capitals or _: choose another name',
  },
  {
    name: 'name-like-page-size',
    edits: [
      ['  only_rye: { in: query, type: boolean, default: false', '  pageSize: { in: query, type: integer, default: 1'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.id > {{ pageSize }}'],
      ['examples:', 'pagination: { default: 5, max: 20 }\nexamples:'],
    ],
    problem: '7:3 params.pageSize: "pageSize" and "page_size" differ only in capitals or _: choose another name',
  },
  {
    name: 'data-as-of-param',
    edits: [['examples:', 'data_as_of: SELECT MAX(day) AS d FROM loaves WHERE oven = {{ oven }}\nexamples:']],
    problem: '18:62 data_as_of: oven is not a parameter of this SQL',
  },
  {
    name: 'data-as-of-two',
    edits: [['examples:', 'data_as_of: SELECT MAX(day) AS d, 1 AS x FROM loaves\nexamples:']],
    problem: '18:13 data_as_of: the SELECT returns the wrong columns: expected a column of any name, got d, x',
  },
  {
    name: 'notice-column',
    edits: [['examples:', 'notices:\n  - { when: empty, sql: "SELECT 1 AS x" }\nexamples:']],
    problem: '19:26 notices.0.sql: the SELECT returns the wrong columns: expected notice, got x',
  },
  {
    name: 'notice-needs',
    edits: [
      ['examples:', 'notices:\n  - { when: empty, needs: ovens, sql: "SELECT kind AS notice FROM loaves" }\nexamples:'],
    ],
    problem: '19:27 notices.0.needs: the notice does not read this table (expected one of loaves, got ovens)',
  },
  {
    name: 'execomment',
    edits: [['FROM loaves l', 'FROM loaves l /*!50000 x */']],
    problem: '13:17 sql: only some databases execute a comment of the form /*! … */: remove it',
  },
  {
    name: 'array-path',
    edits: [['in: path, type: string', 'in: path, type: array, maxItems: 3, items: { type: string }']],
    problem: '5:27 params.oven.type: a path parameter cannot be an array',
  },
  {
    name: 'required-default',
    edits: [['default: weight,', 'default: weight, required: true,']],
    problem: '6:44 params.sort.default: a required parameter cannot have a default: remove one of them',
  },
  {
    name: 'number-expected',
    edits: [['examples:', 'limits: { rows: many }\nexamples:']],
    problem: '18:17 limits.rows: invalid value (expected an integer, got "many")',
  },
  {
    name: 'sql-list',
    edits: [
      [
        'sql: |\n  SELECT l.id, l.kind\n  FROM loaves l\n  JOIN ovens o ON o.id = l.oven_id\n  WHERE o.name = {{ oven }}\n    {% if only_rye %}AND l.kind = \'rye\'{% endif %}\n  ORDER BY {% case sort %}{% when "weight" %}l.weight{% when "kind" %}l.kind{% endcase %}, l.id\n',
        'sql: [a]\n',
      ],
    ],
    problem: '11:6 sql: invalid value (expected text, got a list)',
  },
  {
    name: 'param-for-params',
    edits: [['params:\n', 'param:\n']],
    problem: '4:1 param: unknown key (did you mean "params"?)',
  },
  {
    name: 'parameters',
    edits: [['params:\n', 'parameters:\n']],
    problem: '4:1 parameters: unknown key (did you mean "params"?)',
  },
  {
    name: 'query-for-sql',
    edits: [['sql: |', 'query: |']],
    problem: '11:1 query: unknown key (did you mean "sql"?)',
  },
  {
    name: 'title',
    edits: [['summary:', 'title:']],
    problem: '3:1 title: unknown key (did you mean "summary"?)',
  },
  {
    name: 'url',
    edits: [['path:', 'url:']],
    problem: '2:1 url: unknown key (did you mean "path"?)',
  },
  {
    name: 'route',
    edits: [['path:', 'route:']],
    problem: '2:1 route: unknown key (did you mean "path"?)',
  },
  {
    name: 'fields',
    edits: [['columns:\n', 'fields:\n']],
    problem: '8:1 fields: unknown key (did you mean "columns"?)',
  },
  {
    name: 'colums',
    edits: [['columns:\n', 'colums:\n']],
    problem: '8:1 colums: unknown key (did you mean "columns"?)',
  },
  {
    name: 'sqll',
    edits: [['sql: |', 'sqll: |']],
    problem: '11:1 sqll: unknown key (did you mean "sql"?)',
  },
  {
    name: 's-q-l',
    edits: [['sql: |', 'SQL: |']],
    problem: '11:1 SQL: unknown key (did you mean "sql"?)',
  },
  {
    name: 'example',
    edits: [['examples:\n', 'example:\n']],
    problem: '18:1 example: unknown key (did you mean "examples"?)',
  },
  {
    name: 'col-name',
    edits: [['{ col: id,', '{ name: id,']],
    problem: '9:7 columns.0.name: unknown key (did you mean "col"?)',
  },
  {
    name: 'col-type',
    edits: [['data_type: BIGINT', 'type: BIGINT']],
    problem: '9:16 columns.0.type: unknown key (did you mean "data_type"?)',
  },
  {
    name: 'col-data-type',
    edits: [['data_type: BIGINT', 'dataType: BIGINT']],
    problem: '9:16 columns.0.dataType: unknown key (did you mean "data_type"?)',
  },
  {
    name: 'null',
    edits: [['nullable: false, description: Kind', 'null: false, description: Kind']],
    problem: '10:38 columns.1.null: unknown key (did you mean "nullable"?)',
  },
  {
    name: 'param-location',
    edits: [['oven: { in: path', 'oven: { location: path']],
    problem: '5:11 params.oven.location: unknown key (did you mean "in"?)',
  },
  {
    name: 'param-type-misspelled',
    edits: [['in: path, type: string', 'in: path, tipe: string']],
    problem: '5:21 params.oven.tipe: unknown key (did you mean "type"?)',
  },
  {
    name: 'param-typ-str',
    edits: [['in: path, type: string', 'in: path, type: str']],
    problem: '5:27 params.oven.type: invalid value (did you mean "string"?) (got "str")',
  },
  {
    name: 'param-type-text',
    edits: [['in: path, type: string', 'in: path, type: text']],
    problem: '5:27 params.oven.type: invalid value (did you mean "string"?) (got "text")',
  },
  {
    name: 'param-type-int',
    edits: [['in: path, type: string', 'in: path, type: int']],
    problem: '5:27 params.oven.type: invalid value (did you mean "integer"?) (got "int")',
  },
  {
    name: 'param-no-in',
    edits: [['in: path, type: string', 'type: string']],
    problem: '5:3 params.oven: the key "in" is missing',
  },
  {
    name: 'param-in-header',
    edits: [['in: path, type: string', 'in: header, type: string']],
    problem: '5:15 params.oven.in: invalid value (expected one of path, query, got "header")',
  },
  {
    name: 'param-scalar',
    edits: [['oven: { in: path, type: string, description: Name of the oven }', 'oven: string']],
    problem: '5:9 params.oven: invalid value (expected a mapping, got "string")',
  },
  {
    name: 'params-list',
    edits: [
      ['params:\n  oven: {', 'params:\n  - oven: {'],
      ['  sort:', '    sort:'],
      ['  only_rye: {', '    only_rye: {'],
    ],
    problem: '5:3 params: invalid value (expected a mapping, got a list)',
  },
  {
    name: 'columns-map',
    edits: [
      ['  - { col: id, data_type', '  { col: id, data_type'],
      ['  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }\n', ''],
    ],
    problem: '9:3 columns: invalid value (expected a list, got a mapping)',
  },
  {
    name: 'enum-scalar',
    edits: [['enum: [weight, kind]', 'enum: weight']],
    problem: '6:28 params.sort.enum: invalid value (expected a list, got "weight")',
  },
  {
    name: 'enum-obj',
    edits: [['enum: [weight, kind]', 'enum: [weight, {a: 1}]']],
    problem: '6:37 params.sort.enum.1: invalid value (expected text or a number, got a mapping)',
  },
  {
    name: 'enum-empty',
    edits: [['enum: [weight, kind]', 'enum: []']],
    problem: '6:28 params.sort.enum: invalid value (expected a list of at least 1 item, got a list)',
  },
  {
    name: 'default-bad-bool',
    edits: [['default: false', 'default: maybe']],
    problem: '7:50 params.only_rye.default: invalid value for this parameter (expected true or false, got "maybe")',
  },
  {
    name: 'name-number',
    edits: [['name: list-loaves', 'name: 5']],
    problem: '1:7 name: invalid value (expected kebab-case, such as list-loaves, got 5)',
  },
  {
    name: 'wrong-indent',
    edits: [['  sort:', '   sort:']],
    problem:
      '6:4 not YAML: bad indentation of a mapping entry: give all keys of a mapping the same indentation, and quote a text that contains ": "',
  },
  {
    name: 'wrong-indent-sql',
    edits: [['  FROM loaves l\n', 'FROM loaves l\n']],
    problem:
      '18:9 not YAML: can not read a block mapping entry; a multiline key may not be an implicit key: indent all lines of a text, and write `key: value`',
  },
  {
    name: 'unclosed-brace',
    edits: [['description: Name of the oven }', 'description: Name of the oven']],
    problem:
      '6:3 not YAML: deficient indentation: close the brace, bracket or quote on a previous line, or indent this line',
  },
  {
    name: 'unclosed-quote',
    edits: [['summary: Loaves of an oven', 'summary: "Loaves of an oven']],
    problem:
      '4:1 not YAML: deficient indentation: close the brace, bracket or quote on a previous line, or indent this line',
  },
  {
    name: 'colon-in-summary',
    edits: [['summary: Loaves of an oven', 'summary: Loaves: of an oven']],
    problem:
      '3:16 not YAML: bad indentation of a mapping entry: give all keys of a mapping the same indentation, and quote a text that contains ": "',
  },
  {
    name: 'missing-space',
    edits: [['name: list-loaves', 'name:list-loaves']],
    problem:
      '2:5 not YAML: end of the stream or a document separator is expected: write a space after the colon of a key',
  },
  {
    name: 'anchor',
    edits: [['default: weight', 'default: *x']],
    problem: '6:54 not YAML: aliases are not supported, repeat the value',
  },
  {
    name: 'limit-key',
    edits: [['examples:', 'limits: { row: 5 }\nexamples:']],
    problem: '18:11 limits.row: unknown key (did you mean "rows"?)',
  },
  {
    name: 'limits-max',
    edits: [['examples:', 'limits: { max: 5 }\nexamples:']],
    problem: '18:11 limits.max: unknown key (expected one of rows, stream_rows, timeout, requests, concurrency)',
  },
  {
    name: 'limits-scalar',
    edits: [['examples:', 'limits: 5\nexamples:']],
    problem: '18:9 limits: invalid value (expected a mapping, got 5)',
  },
  {
    name: 'limit-singular',
    edits: [['examples:', 'limit: { rows: 5 }\nexamples:']],
    problem: '18:1 limit: unknown key (did you mean "limits"?)',
  },
  {
    name: 'rows-neg',
    edits: [['examples:', 'limits: { rows: -5 }\nexamples:']],
    problem: '18:17 limits.rows: invalid value (expected 1 or more, got -5)',
  },
  {
    name: 'rows-float',
    edits: [['examples:', 'limits: { rows: 5.5 }\nexamples:']],
    problem: '18:17 limits.rows: invalid value (expected an integer, got 5.5)',
  },
  {
    name: 'rows-string',
    edits: [['examples:', 'limits: { rows: "5" }\nexamples:']],
    problem: '18:18 limits.rows: invalid value (expected an integer, got "5")',
  },
  {
    name: 'stream-rows-few',
    edits: [['examples:', 'limits: { rows: 5, stream_rows: 5 }\nexamples:']],
    problem: '18:33 limits.stream_rows: stream_rows does not exceed limits.rows (expected more than 5, got 5)',
  },
  {
    name: 'pagination-true',
    edits: [['examples:', 'pagination: true\nexamples:']],
    problem: '18:13 pagination: invalid value (expected a mapping, got true)',
  },
  {
    name: 'pagination-size',
    edits: [['examples:', 'pagination: { size: 5, max: 10 }\nexamples:']],
    problem: '18:15 pagination.size: unknown key (did you mean "default"?)',
  },
  {
    name: 'notice-sql-missing',
    edits: [['examples:', 'notices:\n  - { when: empty, text: x }\nexamples:']],
    problem: '19:20 notices.0.text: unknown key (did you mean "sql"?)',
  },
  {
    name: 'notice-when',
    edits: [['examples:', 'notices:\n  - { when: never, sql: "SELECT 1 AS notice" }\nexamples:']],
    problem: '19:13 notices.0.when: invalid value (expected one of always, empty, got "never")',
  },
  {
    name: 'notice-map',
    edits: [['examples:', 'notices: { when: empty, sql: "SELECT 1 AS notice" }\nexamples:']],
    problem: '18:10 notices: invalid value (expected a list, got a mapping)',
  },
  {
    name: 'ex-no-name',
    edits: [['{ name: one oven, params', '{ params']],
    problem: '19:5 examples.0: the key "name" is missing',
  },
  {
    name: 'ex-param',
    edits: [['params: { oven: stone }', 'params: { ovn: stone }']],
    problem: '19:33 examples.0.params.ovn: "ovn" is not a declared parameter (did you mean "oven"?)',
  },
  {
    name: 'ex-value',
    edits: [['params: { oven: stone }', 'params: { oven: stone, sort: wieght }']],
    problem:
      '19:52 examples.0.params.sort: invalid value for this parameter (did you mean "weight"?) (expected one of weight, kind, got "wieght")',
  },
  {
    name: 'ex-col',
    edits: [['params: { oven: stone }', 'params: { oven: stone }, rows: [{ idd: "1" }]']],
    problem: '19:57 examples.0.rows.0.idd: "idd" is not a declared column (did you mean "id"?)',
  },
  {
    name: 'ex-num',
    edits: [['params: { oven: stone }', 'params: { oven: stone }, rows: [{ id: 1 }]']],
    problem: '19:61 examples.0.rows.0.id: invalid value (expected text, got 1)',
  },
  {
    name: 'tags-string',
    edits: [['params:\n', 'tags: Loaves\nparams:\n']],
    problem: '4:7 tags: invalid value (expected a list, got "Loaves")',
  },
  {
    name: 'undeclared-if',
    edits: [['{% if only_rye %}', '{% if only_ry %}']],
    problem: '16:11 sql: only_ry is not a parameter of this SQL (did you mean "only_rye"?)',
  },
  {
    name: 'undeclared-case',
    edits: [['{% case sort %}', '{% case srt %}']],
    problem: '17:20 sql: srt is not a parameter of this SQL (did you mean "sort"?)',
  },
  {
    name: 'undeclared-twice',
    edits: [['  only_rye: { in: query, type: boolean, default: false, description: Only rye }\n', '']],
    problem: '15:11 sql: only_rye is not a parameter of this SQL',
  },
  {
    name: 'unused-misspelled',
    edits: [['  only_rye: {', '  only_ry: {']],
    problem: '16:11 sql: only_rye is not a parameter of this SQL (did you mean "only_ry"?)',
  },
  {
    name: 'camel-in-sql',
    edits: [['{{ oven }}', '{{ Oven }}']],
    problem: '15:21 sql: Oven is not a parameter of this SQL (did you mean "oven"?)',
  },
  {
    name: 'sp-name',
    edits: [['  only_rye: {', '  only-rye: {']],
    problem: '7:3 params.only-rye: invalid name (expected a name such as oven_id or ovenId, got "only-rye")',
  },
  {
    name: 'cap-name',
    edits: [['  only_rye: {', '  OnlyRye: {']],
    problem: '7:3 params.OnlyRye: invalid name (expected a name such as oven_id or ovenId, got "OnlyRye")',
  },
  {
    name: 'double-brace',
    edits: [['{{ oven }}', '{ oven }']],
    problem: '15:25 sql: not SQL: bind a value with {{ name }}, in two braces',
  },
  {
    name: 'endfi',
    edits: [['{% endif %}', '{% endfi %}']],
    problem: '16:40 sql: unknown tag {% endfi %} (did you mean "endif"?) (expected if, unless, case, once)',
  },
  {
    name: 'jinja',
    edits: [['{{ oven }}', '{{ oven | upper }}']],
    problem:
      '15:28 sql: unknown filter upper (expected one of upcase, downcase, strip, append, prepend, plus, minus, size)',
  },
  {
    name: 'else-if',
    edits: [['{% endif %}', '{% else if only_rye %}{% endif %}']],
    problem: '16:40 sql: {% else %} takes no argument: write {% elsif … %} for another condition',
  },
  {
    name: 'single-eq',
    edits: [['{% if only_rye %}', '{% if only_rye = true %}']],
    problem: '16:5 sql: invalid condition (expected ==, !=, and, or, not)',
  },
  {
    name: 'and-and',
    edits: [['{% if only_rye %}', '{% if only_rye && sort == "kind" %}']],
    problem: '16:5 sql: invalid condition (expected ==, !=, and, or, not)',
  },
  {
    name: 'quotes-missing',
    edits: [['{% when "kind" %}', '{% when kind %}']],
    problem: '17:62 sql: kind is a value, not a parameter: write "kind"',
  },
  {
    name: 'when-missing-quote',
    edits: [['{% when "kind" %}', '{% when "kind %}']],
    problem: '17:62 sql: sort is never "kin" (did you mean "kind"?) (expected one of "weight", "kind")',
  },
  {
    name: 'reserved-too',
    edits: [
      ['l.kind\n', 'l.kind AS rank\n'],
      ['col: kind', 'col: rank'],
    ],
    problem: '12:26 sql: rank is a reserved word of MySQL, MariaDB or TiDB: write `rank`',
  },
  {
    name: 'reserved-parse',
    edits: [
      ['l.kind\n', 'l.kind AS order\n'],
      ['col: kind', 'col: order'],
    ],
    problem: '12:26 sql: order is a reserved word of MySQL, MariaDB or TiDB: write `order`',
  },
  {
    name: 'reserved-col',
    edits: [['l.id, l.kind', 'l.id, groups AS kind']],
    problem: '12:16 sql: groups is a reserved word of MySQL, MariaDB or TiDB: write `groups`',
  },
  {
    name: 'reserved-col2',
    edits: [['l.id, l.kind', 'l.id, order AS kind']],
    problem: '12:16 sql: not SQL: "order" is unexpected here; write `order` if it is a name',
  },
  {
    name: 'paren',
    edits: [['o.name = {{ oven }}', '(o.name = {{ oven }}']],
    problem: '17:3 sql: not SQL: expected ) here, got "ORDER"',
  },
  {
    name: 'update',
    edits: [['SELECT l.id, l.kind', 'UPDATE l.id, l.kind']],
    problem: '15:3 sql: not SQL: expected SET here, got "WHERE"',
  },
  {
    name: 'scale-too',
    edits: [['data_type: BIGINT', 'data_type: BIGINT, scale: 2']],
    problem: '9:35 columns.0.scale: scale does not apply to BIGINT',
  },
  {
    name: 'min-on-string',
    edits: [['type: string,', 'type: string, minimum: 3,']],
    problem:
      '5:35 params.oven.minimum: minimum does not apply to a parameter of type string (expected one of format, enum, minLength, maxLength, pattern)',
  },
  {
    name: 'min-string',
    edits: [['type: string,', 'type: integer, minimum: "3",']],
    problem: '5:46 params.oven.minimum: invalid value (expected a number, got "3")',
  },
  {
    name: 'format',
    edits: [['type: string,', 'type: string, format: datetime,']],
    problem: '5:43 params.oven.format: invalid value (expected one of date, got "datetime")',
  },
  {
    name: 'format-date-int',
    edits: [['type: string,', 'type: integer, format: date,']],
    problem:
      '5:36 params.oven.format: format does not apply to a parameter of type integer (expected one of enum, minimum, maximum)',
  },
  {
    name: 'bad-date-default',
    edits: [
      [
        '{ in: query, enum: [weight, kind], default: weight,',
        '{ in: query, type: string, format: date, default: 2024-02-30,',
      ],
      [
        '{% case sort %}{% when "weight" %}l.weight{% when "kind" %}l.kind{% endcase %}',
        'l.id + DATEDIFF({{ sort }}, {{ sort }})',
      ],
    ],
    problem:
      '6:59 params.sort.default: invalid value for this parameter (expected a date YYYY-MM-DD from 1000-01-01 to 9999-12-31, got "2024-02-30")',
  },
  {
    name: 'notafter-too',
    edits: [['type: string,', 'type: string, notAfter: x,']],
    problem: '5:45 params.oven.notAfter: "x" is not another parameter',
  },
  {
    name: 'not-after',
    edits: [['type: string,', 'type: string, not_after: x,']],
    problem: '5:35 params.oven.not_after: unknown key (did you mean "notAfter"?)',
  },
  {
    name: 'array-no-items',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, default: [rye]'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.kind IN ({{ only_rye }})'],
    ],
    problem: '7:3 params.only_rye: an array needs the key "items"',
  },
  {
    name: 'array-items-type',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, items: string, default: [rye]'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.kind IN ({{ only_rye }})'],
    ],
    problem: '7:59 params.only_rye.items: invalid value (expected a mapping, got "string")',
  },
  {
    name: 'array-default-scalar',
    edits: [
      ['type: boolean, default: false', 'type: array, maxItems: 3, items: { type: string }, default: rye'],
      ["{% if only_rye %}AND l.kind = 'rye'{% endif %}", 'AND l.kind IN ({{ only_rye }})'],
    ],
    problem:
      '7:86 params.only_rye.default: invalid value for this parameter (expected 1 to 3 values separated by commas, each text of 1 to 255 characters, got "rye")',
  },
  {
    name: 'stale-no-computed',
    edits: [['examples:', 'stale_after: 3h\nexamples:']],
    problem: '18:1 stale_after: stale_after requires computed_at',
  },
  {
    name: 'stale-typo',
    edits: [['examples:', 'stale_after: 3h\ncomputed: SELECT 1 AS x FROM loaves\nexamples:']],
    problem: '19:1 computed: unknown key (did you mean "computed_at"?)',
  },
  {
    name: 'data-as-of-typo',
    edits: [['examples:', 'data_as_off: SELECT 1 AS x\nexamples:']],
    problem: '18:1 data_as_off: unknown key (did you mean "data_as_of"?)',
  },
  {
    name: 'data-as-of',
    edits: [['examples:', 'dataAsOf: SELECT 1 AS x\nexamples:']],
    problem: '18:1 dataAsOf: unknown key (did you mean "data_as_of"?)',
  },
  {
    name: 'deprecated-no-day',
    edits: [['examples:', 'deprecated: 2026-02-30\nexamples:']],
    problem: '18:13 deprecated: this day does not exist (expected a calendar day YYYY-MM-DD, got 2026-02-30)',
  },
  {
    name: 'deprecated-no-text',
    edits: [['examples:', 'deprecated: true\nsunset: 2027-01-01\nexamples:']],
    problem: '18:13 deprecated: invalid value (expected a day such as 2026-11-01, got true)',
  },
  {
    name: 'sunset-no-deprecated',
    edits: [['examples:', 'sunset: 2027-01-01\nexamples:']],
    problem: '18:1 sunset: sunset requires deprecated',
  },
  {
    name: 'sunset-before-deprecated',
    edits: [['examples:', 'deprecated: 2026-11-02\nsunset: 2026-11-01\nexamples:']],
    problem: '19:9 sunset: the endpoint ends before it is deprecated (expected 2026-11-02 or later, got 2026-11-01)',
  },
  {
    name: 'path-brace',
    edits: [['{oven}', '{oven']],
    problem:
      '2:7 path: invalid value (expected a path such as /v1/ovens/{oven}/loaves/, got "/v1/ovens/{oven/loaves/")',
  },
  {
    name: 'path-colon',
    edits: [['{oven}', ':oven']],
    problem:
      '2:7 path: invalid value (expected a path such as /v1/ovens/{oven}/loaves/, got "/v1/ovens/:oven/loaves/")',
  },
  {
    name: 'path-space',
    edits: [['{oven}/', '{ oven }/']],
    problem:
      '2:7 path: invalid value (expected a path such as /v1/ovens/{oven}/loaves/, got "/v1/ovens/{ oven }/loaves/")',
  },
  {
    name: 'path-query',
    edits: [['/loaves/', '/loaves?x=1']],
    problem:
      '2:7 path: invalid value (expected a path such as /v1/ovens/{oven}/loaves/, got "/v1/ovens/{oven}/loaves?x=1")',
  },
];

function addMistake({ edits }: Mistake): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the text to replace does not exist: ${from}`);
    return text.replace(from, () => to);
  }, VALID);
}

describe('an invalid definition', () => {
  it('differs from a valid definition only by its mistake', async () => {
    expect(await problemsIn({ 'right.yaml': VALID })).to.deep.equal([]);
  });

  for (const mistake of MISTAKES) {
    it(`produces one problem at its line: ${mistake.name.replaceAll('-', ' ')}`, async () => {
      expect(await problemsIn({ 'wrong.yaml': addMistake(mistake) })).to.deep.equal([`wrong.yaml:${mistake.problem}`]);
    });
  }

  it('does not hide the problems of other files', async () => {
    const some = MISTAKES.slice(0, 20).map((mistake, index) => {
      const own = addMistake(mistake)
        .replace('name: list-loaves', `name: loaves-${index}`)
        .replace('/v1/ovens/', `/v1/o${index}/`);
      return [`${String(index).padStart(2, '0')}.yaml`, own] as const;
    });
    const problems = await problemsIn(Object.fromEntries(some));
    expect(problems.map((problem) => problem.split(':')[0])).to.deep.equal(some.map(([name]) => name));
  });
});

/** A definition with a parameter of each kind, which returns its values. */
export const EVERY_PARAMETER = `summary: A parameter of each kind
params:
  word: { in: query, type: string, minLength: 2, maxLength: 5, default: rye, description: A short word. }
  least: { in: query, type: integer, minimum: 1, maximum: 10, default: 3, description: A small number. }
  share: { in: query, type: number, minimum: 0, maximum: 1, default: 0.5, description: A share. }
  sort: { in: query, enum: [weight, kind], default: weight, description: An order. }
  only_new: { in: query, type: boolean, default: false, description: A switch. }
  day: { in: query, type: string, format: date, default: 2026-01-31, description: A day. }
  kinds: { in: query, type: array, items: { type: string }, maxItems: 3, default: [rye], description: A list. }
columns:
  - { col: word, data_type: VARCHAR, nullable: false, description: The word }
  - { col: least, data_type: BIGINT, nullable: false, description: The number }
  - { col: share, data_type: DOUBLE, nullable: false, description: The share }
  - { col: sort, data_type: VARCHAR, nullable: false, description: The order }
  - { col: only_new, data_type: BIGINT, nullable: false, description: The switch }
  - { col: day, data_type: VARCHAR, nullable: false, description: The day }
  - { col: matches, data_type: BIGINT, nullable: false, description: Whether the list contains rye }
sql: |
  SELECT {{ word }} AS word, {{ least }} AS least, {{ share }} AS share,
    {% case sort %}{% when 'weight' %}'weight'{% when 'kind' %}'kind'{% endcase %} AS sort,
    {% if only_new %}1{% else %}0{% endif %} AS only_new,
    CAST({{ day }} AS CHAR) AS day,
    CASE WHEN 'rye' IN ({{ kinds }}) THEN 1 ELSE 0 END AS matches
  FROM (SELECT 1 AS n) one
`;

/** A definition whose rows have numbers that sort differently as text, a missing value, and texts that must be quoted in CSV. */
export const THREE_ROWS = `summary: Three kinds of bread
columns:
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
  - { col: weight, data_type: BIGINT, nullable: true, unit: g, null_as: not weighed, description: Weight in grams }
sentence: 'The first kind is {kind}, and the last one weighs {last.weight} g.'
sql: |
  SELECT kind, weight
  FROM (
    SELECT 'rye, dark' AS kind, 900 AS weight UNION ALL
    SELECT 'wheat "white"', 1250 UNION ALL
    SELECT 'spelt', NULL
  ) breads
  ORDER BY kind
`;

/** A definition with nested rows and a JSON value, which tables show as flat rows with text. */
export const NESTED_ROWS = `summary: Ovens with their loaves
columns:
  - { col: loaf, data_type: VARCHAR, nullable: true, description: Loaf }
  - { col: oven, data_type: VARCHAR, nullable: false, description: Oven }
  - { col: facts, data_type: JSON, nullable: true, description: Facts about the loaf }
nest:
  loaves: { columns: [loaf, facts], by: [oven] }
sql: |
  SELECT l.loaf, o.oven, l.facts
  FROM (SELECT 'steel' AS oven UNION ALL SELECT 'stone') o
  LEFT JOIN (
    SELECT 'stone' AS oven, 'rye' AS loaf, '{"grams": 900}' AS facts UNION ALL SELECT 'stone', 'wheat', '[1]'
  ) l ON l.oven = o.oven
  ORDER BY o.oven, l.loaf
`;

import type { DataType } from '../../databases/interface/data-types.js';
import { ROLLUP_STATE } from '../../databases/interface/rollups.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import { callerNames } from '../access/caller-values.js';
import type { RowFilters } from '../access/row-filters.js';
import type { EndpointDefinition, MaterializeDefinition } from '../definition.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import type { PlacedQuery } from '../endpoint/endpoint.js';
import { rollupTableOf, WATERMARK, WATERMARK_STARTS } from '../endpoint/rollup.js';
import type { Problem } from '../problem.js';

/** MySQL names have 64 characters. */
const MAX_NAME = 64;
const MIN_EVERY_MS = 10_000;
const MAX_TIMEOUT_MS = 3_600_000;
/** Types whose values have no order or no length limit, so that they cannot be part of a primary key on every database. */
const NO_KEYS: ReadonlySet<DataType> = new Set<DataType>([
  ...(['TEXT', 'TINYTEXT', 'MEDIUMTEXT', 'LONGTEXT', 'JSON', 'DOUBLE', 'FLOAT'] as const),
  ...(['TINYBLOB', 'MEDIUMBLOB', 'BLOB', 'LONGBLOB', 'BIT'] as const),
]);

/** Checks the key `materialize`, and that nothing in the definition depends on a request. */
export function checkMaterialize(source: DefinitionSource, definition: EndpointDefinition): Problem[] {
  const { materialize } = definition;
  if (materialize === undefined) return [];
  return [
    ...checkKeys(source, definition),
    ...checkTimes(source, materialize),
    ...checkName(source, definition),
    ...checkColumns(source, definition, materialize),
  ];
}

/** Checks that no refresh of a definition is due because of itself, which would never end. `all` are the definitions of all files. */
export function checkCycle(
  source: DefinitionSource,
  { name, materialize }: EndpointDefinition,
  all: readonly { readonly endpoint?: { readonly definition: EndpointDefinition } | undefined }[],
): Problem[] {
  if (materialize === undefined || materialize.after.length === 0) return [];
  const afterOf = new Map(
    all.flatMap(({ endpoint }) => {
      const { materialize: other, name: otherName = '' } = endpoint?.definition ?? {};
      return other === undefined ? [] : [[rollupTableOf(otherName), other.after] as const];
    }),
  );
  const table = rollupTableOf(name);
  const earlier = new Set(materialize.after);
  for (const one of earlier) for (const other of afterOf.get(one) ?? []) earlier.add(other);
  if (!earlier.has(table)) return [];
  const message = `each refresh of ${table} would lead to another one, because of the tables in "after"`;
  return [source.problem(['materialize', 'after'], message, { at: 'key' })];
}

/** Checks the queries of a materialized definition: their results are the same for all callers. */
export function checkMaterializedQueries(
  { materialize, name, access }: EndpointDefinition,
  sql: PlacedQuery,
  queries: readonly PlacedQuery[],
  rowFilters: RowFilters | undefined,
): Problem[] {
  if (materialize === undefined) return [];
  const table = rollupTableOf(name);
  const problems = queries.flatMap((placed) => {
    const [value] = callerNames(placed.query.used);
    if (value === undefined) return [];
    const message =
      `the stored rows are the same for all callers, so the SQL and the row filters of its tables cannot depend on ${value}: ` +
      `select the column, and restrict ${table} with a row_filter in tables/${table}.yaml`;
    return [placed.problem(message, value)];
  });
  if (rowFilters?.restricts([table])) {
    const [own, tables] = [rowFilters.namesOf([table]), new Set(queries.flatMap(({ query }) => [...query.tables]))];
    // A condition without columns, such as TRUE, states that all callers can read all rows.
    const isOpen = rowFilters.columnsOf(table)?.size === 0;
    const missing = isOpen ? undefined : rowFilters.namesOf(tables).find((value) => !own.includes(value));
    if (missing !== undefined) {
      const message = `the row filter of a table depends on ${missing}, so the row_filter in tables/${table}.yaml must also depend on it, or be TRUE`;
      problems.push(sql.problem(message, missing));
    }
    const [value] = callerNames(own);
    if (value !== undefined && access === undefined) {
      const message = `the row_filter of ${table} depends on ${value}, so the definition cannot be public: add the key access`;
      problems.push(sql.problem(message, value));
    }
  }
  if (materialize.watermark === undefined && sql.query.used.has(WATERMARK)) {
    problems.push(sql.problem(`{{ ${WATERMARK} }} requires materialize.watermark`, WATERMARK));
  }
  if (materialize.watermark !== undefined && sql.query.limited.size > 0) {
    problems.push(sql.problem('LIMIT does not apply to rows that are computed from a watermark on', 'LIMIT'));
  }
  return problems;
}

/** The keys that depend on a request, or that the table determines. */
const EXCLUDED: readonly (readonly [path: DefinitionPath, reason: string])[] = [
  [['params'], 'the rows are stored before a request: write another definition with parameters, which reads the table'],
  [['notices'], 'notices would describe the tables of the SQL, not the stored rows'],
  [['computed_at'], 'the time of the last refresh is added to each answer'],
];

function checkKeys(source: DefinitionSource, { params, notices, pagination, ...definition }: EndpointDefinition) {
  const isPresent: Readonly<Record<string, boolean>> = {
    params: Object.keys(params).length > 0,
    notices: notices.length > 0,
    computed_at: definition.computed_at !== undefined,
  };
  const excluded = EXCLUDED.filter(([path]) => isPresent[String(path[0])]);
  const all = excluded.map(([path, reason]) => source.problem(path, `not with materialize: ${reason}`, { at: 'key' }));
  if (typeof pagination?.total !== 'string') return all;
  const path = ['pagination', 'total'];
  return [...all, source.problem(path, 'with materialize, total can only be true', { at: 'key' })];
}

function checkTimes(
  source: DefinitionSource,
  { everyMs, after, fullMs, watermark, timeoutMs }: MaterializeDefinition,
): Problem[] {
  const path = ['materialize'];
  const problems: Problem[] = [];
  if (everyMs === undefined && after.length === 0)
    problems.push(source.problem(path, 'the key "every" or "after" is missing', { at: 'key' }));
  if (everyMs !== undefined && everyMs < MIN_EVERY_MS)
    problems.push(source.problem([...path, 'every'], 'the time is too short', { expected: 'at least 10s' }));
  if (fullMs !== undefined && watermark === undefined)
    problems.push(source.problem([...path, 'full'], 'full requires watermark', { at: 'key' }));
  if (timeoutMs > MAX_TIMEOUT_MS)
    problems.push(source.problem([...path, 'timeout'], 'the timeout is too long', { expected: 'at most 1h' }));
  return problems;
}

function checkName(source: DefinitionSource, { name }: EndpointDefinition): Problem[] {
  const table = rollupTableOf(name);
  if (table.startsWith(ROLLUP_STATE))
    return [source.problem(['name'], `tables whose names begin with ${ROLLUP_STATE} are those of the service`)];
  if (table.length <= MAX_NAME) return [];
  const facts = { expected: `at most ${MAX_NAME} characters`, got: String(table.length) };
  return [source.problem(['name'], 'the name is too long for a table', facts)];
}

function checkColumns(
  source: DefinitionSource,
  { columns }: EndpointDefinition,
  { key, watermark }: MaterializeDefinition,
): Problem[] {
  const names = columns.map(({ col }) => col);
  const check = (path: DefinitionPath, name: string, isPossible: (type: DataType) => boolean, kind: string) => {
    const column = columns.find(({ col }) => col === name);
    if (column === undefined)
      return [source.problem(path, `the column "${name}" is not declared${didYouMean(name, names)}`)];
    if (column.nullable) return [source.problem(path, `the column "${name}" is nullable`)];
    if (isPossible(column.data_type)) return [];
    return [source.problem(path, `${column.data_type} cannot be ${kind}`)];
  };
  const ofKey = key.flatMap((name, index) =>
    check(['materialize', 'key', index], name, (type) => !NO_KEYS.has(type), 'part of a key'),
  );
  if (watermark === undefined) return ofKey;
  const isPossible = (type: DataType) => WATERMARK_STARTS[type] !== undefined;
  return [...ofKey, ...check(['materialize', 'watermark'], watermark, isPossible, 'a watermark')];
}

import { hash } from 'node:crypto';
import type { DataVersions, VersionState } from '../../databases/interface/data-versions.js';
import { EngineError } from '../../databases/interface/errors.js';
import { callerNames, exampleCaller, readCallerValues } from '../access/caller-values.js';
import { requireAccess } from '../access/require-access.js';
import type {
  ColumnDefinition,
  EndpointDefinition,
  MaterializeDefinition,
  NoticeDefinition,
  ParameterDefinition,
  ParameterValue,
} from '../definition.js';
import type { DefinitionSource } from '../definition-source.js';
import { Choices } from '../parameters/choices.js';
import {
  createParameterReader,
  type ParameterReader,
  type ParameterValues,
  type RawParameters,
  rawFromValues,
} from '../parameters/parameter-values.js';
import type { ClaimDefinitions, Principal } from '../principal.js';
import type { Problem } from '../problem.js';
import {
  COUNT_ENDING,
  createCompiler,
  type Ending,
  NO_ENDING,
  type QueryCompiler,
  type QueryText,
  readPages,
  writeQueryTexts,
} from '../query/compiled-query.js';
import type { Query } from '../query/query.js';
import { CLOCK_UNITS, type ClockUnit } from '../template/template-output.js';
import type { Variant, Variants } from '../template/template-variants.js';
import type { BrokenEndpoint } from './broken-endpoint.js';
import { type Nesting, nestingOf } from './nesting.js';
import { CURSOR_PARAMETER, limitEnding, pageParameters, type RowLimits, rowLimits } from './row-limit.js';

/** A notice of an endpoint. Its query does not run while the query `needs` returns no row. */
export interface EndpointNotice {
  readonly when: NoticeDefinition['when'];
  readonly query: EndpointQuery;
  readonly needs: EndpointQuery | undefined;
}

/** A validated definition, ready to run. It is independent of a database. */
export interface Endpoint extends Dependencies, Pick<RowLimits, 'rowLimit' | 'nextPage'> {
  readonly definition: EndpointDefinition;
  /** The definition with every shared part expanded, in the format of a definition file. */
  readonly expanded: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** Set if this is the last good version of a file that has problems now: the time when the problems began. */
  readonly outdatedSince?: Date;
  /** Whether this version is a canary candidate, which answers only a share of the requests. */
  readonly isCandidate?: boolean;
  /** The declared parameters, and the parameters that `pagination` adds. */
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** Creates a problem at a path of the definition. */
  readonly problem: DefinitionSource['problem'];
  readonly query: EndpointQuery;
  /** The query for streamed formats, and its row limit. Undefined if all formats have the limit of `rowLimit`. */
  readonly stream: { readonly query: EndpointQuery; readonly maxRows: number } | undefined;
  readonly dataAsOf: EndpointQuery | undefined;
  readonly computedAt: EndpointQuery | undefined;
  /** The query for the number of all rows; undefined if answers do not contain this number. */
  readonly total: EndpointQuery | undefined;
  readonly notices: readonly EndpointNotice[];
  /** Whether answers contain the sources of their numbers. */
  readonly statesSources: boolean;
  /** How rows are grouped in nested answers; undefined without `nest`. */
  readonly nesting: Nesting | undefined;
  /** How cursors are created; undefined if the endpoint has no pagination or its pages have no cursors. */
  readonly cursors: PageKeys | undefined;
  /** The values from queries that parameters accept, by parameter. */
  readonly choices: ReadonlyMap<string, EndpointChoices>;
  /** The names of the values of the caller that the queries bind, such as `caller.claims.tenant`. */
  readonly callerValues: readonly string[];
  /** Checks the access of a caller, and returns its values with these names. Throws `credential_missing` and `access_denied`. */
  readonly readCaller: (caller: Principal | undefined) => ParameterValues;
  /** Whether the rows of the main query depend on the caller, or one of its tables has a row filter. */
  readonly isRestricted: boolean;
  /** The table that the main query reads, with the rows of the definition; undefined if a request computes the rows. */
  readonly rollup?: Rollup | undefined;
  /**
   * The time of the oldest refresh of the materialized tables that the main query reads; NULL while one of them has the rows of another
   * version of its definition. Undefined without such tables.
   */
  readonly refreshTime?: EndpointQuery | undefined;
  /** The caller for tests of the definition. */
  readonly exampleCaller: Principal;
  /**
   * Checks the access of the caller, converts text to validated values, applies defaults, and adds the values of the caller. Throws
   * `credential_missing`, `access_denied`, and `bad_parameter` with every invalid parameter.
   */
  readonly readParameters: ParameterReader;
}

/** The rows of a definition as a table. */
export interface Rollup {
  readonly table: string;
  readonly settings: MaterializeDefinition;
  readonly columns: readonly ColumnDefinition[];
  /** Identifies the definition of the rows: tables with equal identities have the rows of equal SQL. */
  readonly identity: string;
  /** The query of the rows, without a row limit. Its values contain `watermark` if the definition has a watermark. */
  readonly query: EndpointQuery;
  readonly dataAsOf: EndpointQuery | undefined;
  /** The endpoint that computes the rows for each request. */
  readonly computing: Endpoint;
}

/** The allowed values of a parameter, and the query for them. */
export interface EndpointChoices {
  readonly choices: Choices;
  readonly query: EndpointQuery;
  readonly refreshMs: number;
}

/** One SQL query of a definition. */
export interface EndpointQuery extends QueryDependencies {
  /** The key of the query, such as `sql`, `data_as_of` or `notices.0.sql`. `line` and `column` are its position in the file. */
  readonly key: string;
  readonly line: number;
  readonly column: number;
  /**
   * Creates a problem of the query. `reason` is the message of the database: the position of the problem is the part of
   * the SQL that this message quotes.
   */
  problem(message: string, reason: string): Problem;
  /** Every variant of the template, with the positions of its pieces in the template. */
  readonly variants: readonly Variant[];
  /** Names of the parameters that the query uses, in alphabetical order. */
  readonly parameters: readonly string[];
  readonly compile: QueryCompiler;
  /** Returns the lookup queries of `{% once %}` tags, by the names of the values that `compileWith` needs. Empty if the query has none. */
  lookups(values: ParameterValues): ReadonlyMap<string, EndpointQuery>;
  /** Like `compile`, but binds the results of lookups. `values` contains each result under the name of its lookup. */
  readonly compileWith: QueryCompiler;
  /** For each variant whose rows have cursors, the query for the rows after a given row. */
  readonly continuations: readonly QueryText[];
  /** Returns the choices of the variant that these values select: the same object as in `texts`. */
  choicesOf(values: ParameterValues): QueryText['choices'];
}

/** A validated query and its position in the file. */
export interface PlacedQuery extends Pick<EndpointQuery, 'key' | 'line' | 'column' | 'problem'> {
  readonly query: Query;
}

export interface EndpointParts {
  readonly definition: EndpointDefinition;
  readonly expanded: Endpoint['expanded'];
  readonly file: string;
  readonly problem: Endpoint['problem'];
  readonly sql: PlacedQuery;
  readonly dataAsOf: PlacedQuery | undefined;
  readonly computedAt: PlacedQuery | undefined;
  /** The SQL of `pagination.total`; undefined if it is not SQL. */
  readonly total: PlacedQuery | undefined;
  readonly notices: readonly PlacedQuery[];
  readonly needs: readonly (PlacedQuery | undefined)[];
  /** The queries for allowed values, by parameter. */
  readonly choices: ReadonlyMap<string, PlacedQuery>;
  /** The claims that callers can have. */
  readonly claims: ClaimDefinitions;
}

export function createEndpoint(parts: EndpointParts): Endpoint {
  const { definition, expanded, file, problem, sql, notices, needs, dataAsOf, computedAt, claims } = parts;
  const { ending, ...limits } = rowLimits(definition, sql.query.limited);
  const cursors = findPageKeys(definition, sql.query.variants, withRowFilters(ending, sql.query));
  const parameters = { ...allParameters(definition), ...(cursors && { cursor: CURSOR_PARAMETER }) };
  const queries = {
    query: endpointQuery(sql, ending, cursors?.texts),
    dataAsOf: dataAsOf && endpointQuery(dataAsOf),
    computedAt: computedAt && endpointQuery(computedAt),
    total: totalOf(parts),
    notices: notices.map((placed, index) => ({
      when: definition.notices[index]?.when ?? 'always',
      query: endpointQuery(placed),
      needs: needs[index] && endpointQuery(needs[index]),
    })),
    statesSources: notices.some(
      ({ query }, index) => definition.notices[index]?.when === 'always' && query.hasOptional,
    ),
  };
  const choices = choicesOf(parts);
  const all = queriesOf({ ...queries, choices: NO_CHOICES });
  const callerValues = callerNames(all.flatMap((query) => query.parameters));
  const readCaller = createCallerReader(definition, callerValues, claims);
  const readValues = createParameterReader(parameters, new Map([...choices].map(([name, one]) => [name, one.choices])));
  return {
    ...{ definition, expanded, file, problem },
    parameters,
    ...queries,
    nesting: nestingOf(definition),
    cursors,
    stream: streamOf(parts),
    choices,
    // The queries for allowed values are excluded, because an answer does not depend on them.
    ...findDependencies(definition, all, sql.query.rowFilters),
    callerValues,
    readCaller,
    isRestricted: isRestricted(sql.query),
    exampleCaller: exampleCaller(claims),
    readParameters: definition.access === undefined ? readValues : withCaller(readValues, readCaller),
    ...limits,
  };
}

function isRestricted({ used, rowFilters, tables }: Query): boolean {
  return callerNames(used).length > 0 || rowFilters?.restricts(tables) === true;
}

function totalOf({ definition: { pagination }, sql, total }: EndpointParts): EndpointQuery | undefined {
  if (total !== undefined) return endpointQuery(total);
  return pagination?.total === true ? endpointQuery(sql, COUNT_ENDING) : undefined;
}

function streamOf({ definition, sql }: EndpointParts): Endpoint['stream'] {
  const { streamRows } = definition.limits;
  if (streamRows === undefined) return undefined;
  return { query: endpointQuery(sql, limitEnding(streamRows, sql.query.limited)), maxRows: streamRows };
}

function choicesOf({ definition, choices: queries }: EndpointParts): Endpoint['choices'] {
  return new Map(
    [...queries].map(([name, placed]) => {
      const { choices, items } = definition.params[name] ?? {};
      const { refreshMs = 0 } = choices ?? items?.choices ?? {};
      return [name, { choices: new Choices(), query: endpointQuery(placed), refreshMs }];
    }),
  );
}

const NO_CHOICES: Endpoint['choices'] = new Map();

/** Returns all queries of an endpoint. The main query is the first. */
export function queriesOf({
  query,
  dataAsOf,
  computedAt,
  total,
  notices,
  choices,
}: Pick<Endpoint, 'query' | 'dataAsOf' | 'computedAt' | 'total' | 'notices' | 'choices'>): EndpointQuery[] {
  const ofChoices = [...choices.values()].map((one) => one.query);
  const all = [
    query,
    dataAsOf,
    computedAt,
    total,
    ...notices.flatMap(({ query: text, needs }) => [text, needs]),
    ...ofChoices,
  ];
  return all.filter((one) => one !== undefined);
}

/** Whether a caller has the access and the claims that an endpoint needs. */
export function canRead({ readParameters }: Pick<Endpoint, 'readParameters'>, caller: Principal | undefined): boolean {
  try {
    readParameters({ path: {}, query: {}, caller });
    return true;
  } catch (error) {
    return error instanceof EngineError && error.code === 'bad_parameter';
  }
}

/** Converts values to a request with the caller for tests of the definition. */
export function trialRequest(
  { parameters, exampleCaller: caller }: Pick<Endpoint, 'parameters' | 'exampleCaller'>,
  values: Readonly<Record<string, ParameterValue>>,
): RawParameters {
  return { ...rawFromValues(parameters, values), caller };
}

/** Creates the broken endpoint that replaces an endpoint with these problems. */
export function createBrokenEndpoint({ definition, file }: Endpoint, problems: readonly Problem[]): BrokenEndpoint {
  const { name, path, access = ['public'] } = definition;
  return { name, path, file, access, problems };
}

/** Returns the parameters that a definition can use: the declared ones, and `page` and `page_size` if it has pagination. */
export function allParameters({ params, pagination }: EndpointDefinition): Endpoint['parameters'] {
  return pagination === undefined ? params : { ...params, ...pageParameters(pagination) };
}

/** Returns the SQL texts of a query that are known when its definition is loaded. */
export function textsOf({ texts, continuations }: EndpointQuery): readonly QueryText[] {
  return [...texts, ...continuations];
}

export function endpointQuery(
  { query, ...place }: PlacedQuery,
  without = NO_ENDING,
  continuations: EndpointQuery['continuations'] = [],
): EndpointQuery {
  const ending = withRowFilters(without, query);
  const compile = createCompiler(query.variants, ending);
  return {
    ...place,
    ...lookupsOf(query, place, ending, compile),
    texts: writeQueryTexts(query.variants, ending),
    continuations,
    variants: query.variants.all,
    parameters: [...query.used].sort(),
    tables: query.tables,
    clock: clockOf(query.variants.all),
    compile,
    choicesOf: (values) => query.variants.select(values).choices,
  };
}

function lookupsOf(
  { lookups, variants }: Query,
  place: Omit<PlacedQuery, 'query'>,
  ending: Ending,
  compile: QueryCompiler,
): Pick<EndpointQuery, 'lookups' | 'compileWith'> {
  // Lookups are not used if binding them as values would give more variants cursors, which read additional columns.
  const hasOtherPages =
    lookups !== undefined && readPages(variants, ending).length !== readPages(lookups.variants, ending).length;
  if (lookups === undefined || hasOtherPages) return { lookups: () => NO_LOOKUPS, compileWith: compile };
  const queries = new Map(
    [...lookups.queries].map(([lookup, query]) => [
      lookup,
      endpointQuery({ ...place, key: `once in ${place.key}`, query }),
    ]),
  );
  return {
    lookups: (values) =>
      new Map(lookups.select(values).map((lookup) => [lookup.name, queries.get(lookup) as EndpointQuery])),
    compileWith: createCompiler(lookups.variants, ending),
  };
}

const NO_LOOKUPS: ReadonlyMap<string, EndpointQuery> = new Map();

/** The facts, in addition to the parameters, on which the answers of an endpoint depend. */
interface Dependencies {
  /** The tables that the queries read, in lower case. A view counts as a table. */
  readonly tables: ReadonlySet<string>;
  /** The shortest unit of the clock that the queries use; undefined if they do not use the clock. */
  readonly clock: ClockUnit | undefined;
  /**
   * The SHA-256 of the definition with its shared parts, and of every SQL text of its queries. In one version of the
   * program, endpoints with equal hashes return equal answers for equal parameters, data and time.
   */
  readonly contentHash: string;
}

/** The facts, in addition to the parameters, on which the result of a query depends. */
interface QueryDependencies extends Pick<Dependencies, 'tables' | 'clock'> {
  readonly variants: readonly Variant[];
  /** Every SQL text that the query can produce, for lists of one value and of the maximum length. */
  readonly texts: readonly QueryText[];
}

function findDependencies(
  definition: EndpointDefinition,
  queries: readonly QueryDependencies[],
  rowFilters: Query['rowFilters'],
): Dependencies {
  const tables = new Set(queries.flatMap((query) => [...query.tables]));
  return {
    tables,
    clock: shortestUnit(queries.map((query) => query.clock)),
    contentHash: hashContent(definition, queries, rowFilters?.namesOf(tables) ?? []),
  };
}

/** Returns the shortest unit of the clock that the variants of a query use. */
function clockOf(variants: readonly Variant[]): ClockUnit | undefined {
  const pieces = variants.flatMap((variant) => variant.pieces);
  return shortestUnit(pieces.map((piece) => ('output' in piece ? piece.output.clock : undefined)));
}

function shortestUnit(units: readonly (ClockUnit | undefined)[]): ClockUnit | undefined {
  return CLOCK_UNITS.find((unit) => units.includes(unit));
}

/** `filterNames` are the names of the values in row filters, which neither the definition nor the texts contain. */
function hashContent(
  definition: EndpointDefinition,
  queries: readonly QueryDependencies[],
  filterNames: readonly string[],
): string {
  const texts = queries.map((query) => query.texts.map(({ sql }) => sql));
  const constants = constantsOf(queries.flatMap(({ variants }) => variants));
  const ofFilters = filterNames.length === 0 ? [] : [filterNames];
  return hash('sha256', JSON.stringify([definition, texts, ...constants, ...ofFilters]));
}

/** Returns the values of the environment that variants bind, by name. Empty if they bind none. */
export function constantsOf(variants: readonly Variant[]): readonly Readonly<Record<string, string>>[] {
  const outputs = variants.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => ('output' in piece ? [piece.output] : [])),
  );
  const constants = outputs.flatMap(({ name, constant }) =>
    constant === undefined ? [] : [[name, constant] as const],
  );
  return constants.length === 0 ? [] : [Object.fromEntries(constants)];
}

/** The columns that determine the position of a row, from which cursors are created. */
interface PageKeys {
  /**
   * Returns the indexes of the cells that determine the position of a row. Undefined if cursors are not possible for
   * the order of these rows. Indexes beyond the declared columns refer to columns that the query returns in addition.
   */
  placesOf(values: ParameterValues): readonly number[] | undefined;
  /** For each variant, the query for the rows after a given row. Checks use these queries. */
  readonly texts: readonly QueryText[];
}

function withRowFilters(ending: Ending, { rowFilters }: Pick<Query, 'rowFilters'>): Ending {
  return rowFilters === undefined ? ending : { ...ending, rowFilters };
}

/** Creates the function that checks the access of a caller and returns its values. */
function createCallerReader(
  definition: EndpointDefinition,
  names: readonly string[],
  claims: ClaimDefinitions,
): Endpoint['readCaller'] {
  return (caller) => {
    requireAccess(definition, caller);
    return caller === undefined ? NO_VALUES : readCallerValues(names, caller, claims);
  };
}

const NO_VALUES: ParameterValues = {};

/** Returns a reader that first checks the access of the caller, and adds its values. */
function withCaller(readValues: ParameterReader, readCaller: Endpoint['readCaller']): ParameterReader {
  return (raw) => {
    const ofCaller = readCaller(raw.caller);
    return { ...readValues(raw), ...ofCaller };
  };
}

/** Returns the columns for the cursors of all variants; undefined if no variant has an order that allows cursors. */
function findPageKeys({ columns }: EndpointDefinition, variants: Variants, ending: Ending): PageKeys | undefined {
  const places = new Map<unknown, readonly number[]>();
  const texts: QueryText[] = [];
  for (const { variant, keys, sql } of readPages(variants, ending)) {
    let added = 0;
    const ofKeys = keys.map(({ column, expression }) => {
      if (expression === undefined) return columns.findIndex(({ col }) => col === column);
      added += 1;
      return columns.length + added - 1;
    });
    places.set(variant, ofKeys);
    texts.push({ choices: variant.choices, sql });
  }
  if (places.size === 0) return undefined;
  return { placesOf: (values) => places.get(variants.select(values)), texts };
}

/** Whether and how long the answers of an endpoint can be stored. */
export type CacheRule =
  /** Valid while the versions of these tables do not change. */
  | { readonly kind: 'exact'; readonly tables: ReadonlySet<string> }
  /** Valid for a time, because other programs write a table that the queries read. `cache.ttl` declares the time. */
  | { readonly kind: 'timed'; readonly ttlMs: number; readonly tables: ReadonlySet<string> }
  /** Never stored. The reason is for the log, `endpoint check` and `Cache-Status`. */
  | { readonly kind: 'never'; readonly reason: string };

/** Creates the function that returns the cache rule of an endpoint. The function caches each rule until the versions change. */
export function createCacheRules(versions: DataVersions | undefined): (endpoint: Endpoint) => CacheRule {
  const rules = new WeakMap<
    Endpoint,
    { readonly tables: VersionState['tables'] | undefined; readonly rule: CacheRule }
  >();
  return (endpoint) => {
    const tables = versions?.known?.tables;
    const known = rules.get(endpoint);
    if (known !== undefined && known.tables === tables) return known.rule;
    const rule = cacheRuleOf(endpoint, tables && ((table) => tables.has(table)));
    rules.set(endpoint, { tables, rule });
    return rule;
  };
}

/**
 * Returns whether and how long the answers of an endpoint can be stored. `isVersioned` returns whether a table has
 * versions; it is undefined if no versions are known.
 */
export function cacheRuleOf(
  { tables, clock, definition }: Pick<Endpoint, 'tables' | 'clock' | 'definition'>,
  isVersioned: ((table: string) => boolean) | undefined,
): CacheRule {
  if (clock === 'second') {
    return { kind: 'never', reason: 'it uses the second of {{ now }}; use {{ hour }} or {{ today }}' };
  }
  const unknown = isVersioned === undefined ? [...tables] : [...tables].filter((table) => !isVersioned(table));
  if (isVersioned !== undefined && unknown.length === 0) return { kind: 'exact', tables };
  const { cacheTtlMs: ttlMs } = definition;
  if (ttlMs !== undefined) return { kind: 'timed', ttlMs, tables: tablesWithout(tables, unknown) };
  if (isVersioned === undefined) return { kind: 'never', reason: 'the versions of the tables are unknown' };
  const names = unknown.sort().join(', ');
  return { kind: 'never', reason: `other programs can write ${names}; declare how long an answer is valid: cache.ttl` };
}

/**
 * Whether an endpoint reads a table without versions, which another program can change at any time. False while the versions are unknown,
 * because it is then unknown which tables have versions.
 */
export function readsUnversioned({ tables }: Pick<Endpoint, 'tables'>, versions: DataVersions | undefined): boolean {
  const known = versions?.known?.tables;
  return known !== undefined && [...tables].some((table) => !known.has(table));
}

function tablesWithout(tables: ReadonlySet<string>, others: readonly string[]): ReadonlySet<string> {
  return new Set([...tables].filter((table) => !others.includes(table)));
}

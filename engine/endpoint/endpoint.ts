import type { EndpointDefinition, NoticeDefinition, ParameterDefinition } from '../definition/definition.js';
import type { DefinitionSource } from '../definition/definition-source.js';
import type { Problem } from '../definition/problem.js';
import { Choices } from '../parameters/choices.js';
import { createParameterReader, type ParameterReader, type ParameterValues } from '../parameters/parameter-values.js';
import {
  COUNT_ENDING,
  createCompiler,
  NO_ENDING,
  type QueryCompiler,
  type QueryText,
  writeQueryTexts,
} from '../query/compiled-query.js';
import type { Query } from '../query/query.js';
import type { Variant } from '../template/template-variants.js';
import type { BrokenEndpoint } from './broken-endpoint.js';
import { clockOf, type Dependencies, findDependencies, type QueryDependencies } from './dependencies.js';
import { findPageKeys, type PageKeys } from './page-keys.js';
import { CURSOR_PARAMETER, limitEnding, pageParameters, type RowLimits, rowLimits } from './row-limit.js';

/** A validated definition, ready to run. It is independent of a database. */
export interface Endpoint extends Dependencies, Pick<RowLimits, 'rowLimit' | 'nextPage'> {
  readonly definition: EndpointDefinition;
  /** The definition with every shared part expanded, in the format of a definition file. */
  readonly expanded: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** If this is the last good version of a file that has problems now: since when. */
  readonly outdatedSince?: Date;
  /** Whether this version answers only a share of the requests, while the version before it answers the others. */
  readonly isCandidate?: boolean;
  /** The declared parameters, and the parameters that `pagination` adds. */
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** Creates a problem at a place of the definition. */
  readonly problem: DefinitionSource['problem'];
  readonly query: EndpointQuery;
  /** The query for formats that are streamed, and its row limit. Undefined if all formats have the limit of `rowLimit`. */
  readonly stream: { readonly query: EndpointQuery; readonly maxRows: number } | undefined;
  readonly dataAsOf: EndpointQuery | undefined;
  readonly computedAt: EndpointQuery | undefined;
  /** The query for the number of all rows; undefined if answers do not state it. */
  readonly total: EndpointQuery | undefined;
  readonly notices: readonly { readonly when: NoticeDefinition['when']; readonly query: EndpointQuery }[];
  /** Whether answers state the sources of their numbers. */
  readonly statesSources: boolean;
  /** Undefined if the pages have no cursors, and without pagination. */
  readonly cursors: PageKeys | undefined;
  /** The values from queries that parameters accept, by parameter. */
  readonly choices: ReadonlyMap<string, EndpointChoices>;
  /** Converts text to validated values and applies defaults. Throws `bad_parameter` with every invalid parameter. */
  readonly readParameters: ParameterReader;
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
  /** Every variant of the template, with the places of its parts in the template. */
  readonly variants: readonly Variant[];
  /** Names of the parameters that the query uses, in alphabetical order. */
  readonly parameters: readonly string[];
  readonly compile: QueryCompiler;
  /** For each variant whose rows have cursors, the query for the rows after a row. */
  readonly continuations: readonly QueryText[];
  /** Returns the choices of the variant that these values select. The object is the one in `texts`. */
  choicesOf(values: ParameterValues): QueryText['choices'];
}

/** A validated query and its place in the file. */
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
  /** The queries for allowed values, by parameter. */
  readonly choices: ReadonlyMap<string, PlacedQuery>;
}

export function createEndpoint(parts: EndpointParts): Endpoint {
  const { definition, expanded, file, problem, sql, notices, dataAsOf, computedAt } = parts;
  const { ending, ...limits } = rowLimits(definition, sql.query.limited);
  const cursors = findPageKeys(definition, sql.query.variants, ending);
  const parameters = { ...allParameters(definition), ...(cursors && { cursor: CURSOR_PARAMETER }) };
  const queries = {
    query: endpointQuery(sql, ending, cursors?.texts),
    dataAsOf: dataAsOf && endpointQuery(dataAsOf),
    computedAt: computedAt && endpointQuery(computedAt),
    total: totalOf(parts),
    notices: notices.map((placed, index) => ({
      when: definition.notices[index]?.when ?? 'always',
      query: endpointQuery(placed),
    })),
    statesSources: notices.some(
      ({ query }, index) => definition.notices[index]?.when === 'always' && query.hasOptional,
    ),
  };
  const choices = choicesOf(parts);
  return {
    ...{ definition, expanded, file, problem },
    parameters,
    ...queries,
    cursors,
    stream: streamOf(parts),
    choices,
    // The answer does not depend on the values that other requests may use.
    ...findDependencies(definition, queriesOf({ ...queries, choices: NO_CHOICES })),
    readParameters: createParameterReader(parameters, new Map([...choices].map(([name, one]) => [name, one.choices]))),
    ...limits,
  };
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
  const all = [query, dataAsOf, computedAt, total, ...notices.map((notice) => notice.query), ...ofChoices];
  return all.filter((one) => one !== undefined);
}

/** Creates the broken endpoint that replaces an endpoint with these problems. */
export function createBrokenEndpoint({ definition, file }: Endpoint, problems: readonly Problem[]): BrokenEndpoint {
  const { name, path } = definition;
  return { name, path, file, problems };
}

/** Returns the parameters that a definition can use by their names: its own, and the numbers of its pages. */
export function allParameters({ params, pagination }: EndpointDefinition): Endpoint['parameters'] {
  return pagination === undefined ? params : { ...params, ...pageParameters(pagination) };
}

/** Returns the texts of a query that are known when its definition is loaded. */
export function textsOf({ texts, continuations }: EndpointQuery): readonly QueryText[] {
  return [...texts, ...continuations];
}

function endpointQuery(
  { query, ...place }: PlacedQuery,
  ending = NO_ENDING,
  continuations: EndpointQuery['continuations'] = [],
): EndpointQuery {
  return {
    ...place,
    texts: writeQueryTexts(query.variants, ending),
    continuations,
    variants: query.variants.all,
    parameters: [...query.used].sort(),
    tables: query.tables,
    clock: clockOf(query.variants.all),
    compile: createCompiler(query.variants, ending),
    choicesOf: (values) => query.variants.select(values).choices,
  };
}

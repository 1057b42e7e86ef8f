import type { BrokenEndpoint } from './broken-endpoint.js';
import type { EndpointDefinition, NoticeDefinition, ParameterDefinition } from './definition/definition.js';
import type { Problem } from './definition/problem.js';
import { createParameterReader, type ParameterReader, type ParameterValues } from './parameters/parameter-values.js';
import { type CompiledQuery, createCompiler, type Ending, type QueryText, queryTexts } from './sql/compiled-query.js';
import type { Query } from './sql/query.js';
import { limitClause, limitValues, nextPage, pageParameters, rowLimit } from './sql/row-limit.js';
import type { Variant } from './template/template-variants.js';

/** A checked definition, ready to run. It is bound to no database. */
export interface Endpoint {
  readonly definition: EndpointDefinition;
  /** The definition as a file can have it, with every shared part written out. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** The declared parameters and those of `pagination`. */
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly query: EndpointQuery;
  readonly dataAsOf: EndpointQuery | undefined;
  readonly computedAt: EndpointQuery | undefined;
  readonly notices: readonly { readonly when: NoticeDefinition['when']; readonly query: EndpointQuery }[];
  /** Text to checked values with defaults filled in; throws `bad_parameter` with every bad parameter. */
  readonly readParameters: ParameterReader;
  /** The most rows of an answer to these values. */
  rowLimit(values: ParameterValues): number;
  /** The page after that of these values; undefined without pagination and behind the last page that may be asked for. */
  nextPage(values: ParameterValues): number | undefined;
}

/** One piece of SQL of a definition. */
export interface EndpointQuery {
  /** Where it stands: `sql`, `data_as_of`, `notices.0.sql`, with line and column in the file. */
  readonly key: string;
  readonly line: number;
  readonly column: number;
  /** A problem of the query, at the first thing that `reason` quotes and that the author wrote, with the author's line. */
  problem(message: string, reason: string): Problem;
  /** Every text that it can come to, with arrays of one value and of the most. */
  readonly texts: readonly QueryText[];
  /** Names of the parameters that it uses, in alphabetical order. */
  readonly parameters: readonly string[];
  /** Pure: the same values and time give the same query, and its text depends on enums, booleans and lengths only. */
  compile(values: ParameterValues, now: Date): CompiledQuery;
}

/** A checked query and where it stands in the file. */
export interface PlacedQuery extends Pick<EndpointQuery, 'key' | 'line' | 'column' | 'problem'> {
  readonly query: Query;
}

export interface EndpointParts {
  readonly definition: EndpointDefinition;
  readonly written: Endpoint['written'];
  readonly file: string;
  readonly sql: PlacedQuery;
  readonly dataAsOf: PlacedQuery | undefined;
  readonly computedAt: PlacedQuery | undefined;
  readonly notices: readonly PlacedQuery[];
}

export function createEndpoint({ definition, written, file, sql, notices, ...times }: EndpointParts): Endpoint {
  const parameters = allParameters(definition);
  return {
    definition,
    written,
    file,
    parameters,
    query: mainQuery(definition, sql),
    dataAsOf: times.dataAsOf && sideQuery(times.dataAsOf),
    computedAt: times.computedAt && sideQuery(times.computedAt),
    notices: notices.map((placed, index) => ({
      when: definition.notices[index]?.when ?? 'always',
      query: sideQuery(placed),
    })),
    readParameters: createParameterReader(parameters),
    rowLimit: (values) => rowLimit(definition, values),
    nextPage: (values) => nextPage(definition, values),
  };
}

/** All queries of an endpoint, the main one first. */
export function queriesOf({ query, dataAsOf, computedAt, notices }: Endpoint): EndpointQuery[] {
  const all = [query, dataAsOf, computedAt, ...notices.map((notice) => notice.query)];
  return all.filter((one) => one !== undefined);
}

/** The endpoint as it is called while it has these problems. */
export function brokenBy({ definition, file }: Endpoint, problems: readonly Problem[]): BrokenEndpoint {
  const { name, path } = definition;
  return { name, path, file, problems };
}

export function allParameters({ params, pagination }: EndpointDefinition): Endpoint['parameters'] {
  return pagination === undefined ? params : { ...params, ...pageParameters(pagination) };
}

/** A time as the SQL of this engine has it: `YYYY-MM-DD HH:MM:SS` in UTC. */
export function sqlTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

function mainQuery(definition: EndpointDefinition, { query, ...place }: PlacedQuery): EndpointQuery {
  const ending: Ending = (variant: Variant, markers) =>
    query.limited.has(variant) ? '' : limitClause(definition, markers);
  const compile = createCompiler(query.variants, ending);
  return {
    ...place,
    texts: queryTexts(query.variants, ending),
    parameters: [...query.used].sort(),
    compile: (values, now) => {
      const compiled = compile(values, sqlTime(now));
      if (definition.pagination === undefined) return compiled;
      return { sql: compiled.sql, values: [...compiled.values, ...limitValues(definition, values)] };
    },
  };
}

function sideQuery({ query, ...place }: PlacedQuery): EndpointQuery {
  const compile = createCompiler(query.variants, () => '');
  return {
    ...place,
    texts: queryTexts(query.variants, () => ''),
    parameters: [...query.used].sort(),
    compile: (values, now) => compile(values, sqlTime(now)),
  };
}

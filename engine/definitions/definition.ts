import type { DeclaredChart } from '../charts/check-chart.js';
import type { ColumnPresentation } from '../charts/column-presentation.js';
import type { DataSource } from '../databases/interface/data-source.js';
import type { DataType } from '../databases/interface/data-types.js';

export type ParameterValue = string | number | boolean | readonly (string | number)[];

/** A parameter of an endpoint: its location in the request, and JSON Schema keywords for its values. */
export interface ParameterDefinition {
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly format?: 'date';
  readonly enum?: readonly (string | number)[];
  /** A query for the allowed values, if the key `enum` contains SQL instead of a list. */
  readonly choices?: ChoiceQuery;
  readonly default?: ParameterValue;
  readonly required?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: ItemDefinition;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The name of a parameter of the same type that this one must not exceed, such as the end of a date range. */
  readonly notAfter?: string;
  /** Only for parameters that the engine adds: the parameter that this one replaces. A request cannot contain both. */
  readonly replaces?: string;
  readonly description: string;
  readonly example?: ParameterValue;
}

/** SQL without parameters that returns one column: the values that a parameter accepts. The query runs again after `refreshMs`. */
export interface ChoiceQuery {
  readonly sql: string;
  readonly refreshMs: number;
}

/** The schema of the items of an array. */
export type ItemDefinition = Pick<
  ParameterDefinition,
  'type' | 'format' | 'enum' | 'choices' | 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'pattern'
>;

export interface ColumnDefinition extends Omit<ColumnPresentation, 'nullAs'> {
  readonly col: string;
  readonly data_type: DataType;
  readonly nullable: boolean;
  /** Digits after the decimal point, for DECIMAL, DOUBLE and FLOAT. */
  readonly scale?: number;
  /** The text that readers see for a missing cell. */
  readonly null_as?: string;
  readonly description: string;
}

/** The list into which the rows of one parent are grouped in nested answers. */
export interface NestDefinition {
  readonly name: string;
  readonly description?: string;
  /** The columns that are members of the objects of the list. */
  readonly columns: readonly string[];
  /** The columns that identify a parent; absent if all columns that are not nested identify it. */
  readonly by?: readonly string[];
}

export interface ExampleDefinition {
  readonly name: string;
  readonly params: Readonly<Record<string, ParameterValue>>;
  /** The expected rows; absent if the rows depend on the data. */
  readonly rows?: readonly Readonly<Record<string, string>>[];
}

/** A cell of a fixture, as the author wrote it. Integers beyond 2^53, dates and times are text. */
export type FixtureValue = string | number | boolean | null;

export type FixtureRow = Readonly<Record<string, FixtureValue>>;

/** A request for tests, with rows on which it runs instead of the real data. */
export interface FixtureDefinition {
  readonly name: string;
  /** The time of `{{ now }}` in UTC: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`. */
  readonly now?: string;
  /** The rows of the tables that the queries read, by table. A table that is absent has no rows. */
  readonly tables: Readonly<Record<string, readonly FixtureRow[]>>;
  readonly params: Readonly<Record<string, ParameterValue>>;
  /** The expected rows; absent until `--update` writes them. */
  readonly rows?: readonly Readonly<Record<string, string>>[];
  /** The expected notices; absent if they are not compared. */
  readonly notices?: readonly string[];
  /** The expected sources; absent if they are not compared. */
  readonly sources?: readonly DataSource[];
}

/**
 * SQL with the text column `notice`, whose texts become entries of `data.result.notices`. The SQL can also return the
 * columns of `sources` (`SOURCE_COLUMNS`): a row with a type is also an entry of `data.result.sources`. The SQL can use
 * parameters. `always`: the notice is part of every answer, and requests share its result like the result of
 * `data_as_of`. `empty`: the SQL runs only if the answer has no rows.
 */
export interface NoticeDefinition {
  readonly when: 'always' | 'empty';
  readonly sql: string;
  /** A table that the SQL reads. While the table is empty, the SQL would return no rows, so it does not run. */
  readonly needs?: string;
}

/** How the rows of a definition are stored as a table. */
export interface MaterializeDefinition {
  /** The rows are computed again after this time. Absent if they are computed again only after changes of tables. */
  readonly everyMs?: number;
  /** The tables after whose changes the rows are computed again, in lower case. */
  readonly after: readonly string[];
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** The column from whose largest stored value on the rows are computed again. Absent if all rows are computed again. */
  readonly watermark?: string;
  /** With a watermark, all rows are computed again after this time. Absent if older rows never change. */
  readonly fullMs?: number;
  readonly rows: number;
  readonly timeoutMs: number;
}

/** A validated definition. Absent keys are set to their defaults, and every enum has a `type`. */
export interface EndpointDefinition {
  readonly name: string;
  readonly path?: string;
  readonly summary: string;
  readonly description?: string;
  /** Questions that the endpoint answers. `{name}` is replaced by the value of a parameter. */
  readonly questions: readonly string[];
  readonly tags: readonly string[];
  /** Who can read the endpoint: `signed-in`, `key`, or `role:` and a role. Each entry is sufficient. Absent if any caller can. */
  readonly access?: readonly string[];
  /** Whether the definition replaces the one with the same name in an earlier folder. */
  readonly overrides: boolean;
  /** The day (UTC) since which the endpoint is deprecated, as `YYYY-MM-DD`. `sunset` is the day from which it may stop working. */
  readonly deprecated?: string;
  readonly sunset?: string;
  /** The reasons why warnings do not apply, by the name of the rule that warns. */
  readonly lint: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, ParameterDefinition>>;
  readonly pagination?: {
    readonly default: number;
    readonly max: number;
    /** Whether answers contain the number of all rows: true counts the rows of the query; a text is SQL that returns only the number. */
    readonly total?: boolean | string;
  };
  readonly columns: readonly ColumnDefinition[];
  /** How rows are grouped in answers with nested values; absent if every row is one object. */
  readonly nest?: NestDefinition;
  /** The chart of the answer; if it is absent, the columns and rows determine the chart. */
  readonly chart?: DeclaredChart;
  /** A sentence about the result with places for cells, as in `writeSentence`. */
  readonly sentence?: string;
  readonly sql: string;
  readonly limits: {
    readonly rows: number;
    /** The maximum number of rows in streamed formats. Absent if all formats have the limit `rows`. */
    readonly streamRows?: number;
    readonly timeoutMs: number;
    /** The maximum number of requests of one caller, or of one address if the endpoint is public, in a window of seconds. */
    readonly requests?: { readonly points: number; readonly seconds: number };
    /** The maximum number of concurrent queries; absent means the default of the engine. */
    readonly concurrency?: number;
  };
  /** SQL without parameters that returns only the time of the newest data in the answer. */
  readonly data_as_of?: string;
  /** SQL without parameters that returns only the time when the tables were computed; absent if the answer reads no precomputed tables. */
  readonly computed_at?: string;
  /** The age in milliseconds of the computed tables after which an answer is stale. */
  readonly staleAfterMs?: number;
  /** How long a cached answer is valid, for definitions that read tables of other programs. Absent if it is not declared. */
  readonly cacheTtlMs?: number;
  /** How long an outdated answer may be served while the new answer is computed. 0 means never. */
  readonly serveStaleMs: number;
  /** Absent if a request computes the rows. */
  readonly materialize?: MaterializeDefinition;
  readonly notices: readonly NoticeDefinition[];
  readonly examples: readonly ExampleDefinition[];
  readonly fixtures: readonly FixtureDefinition[];
}

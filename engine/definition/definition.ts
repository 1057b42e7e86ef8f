/** The data types that `data.columns` may report. */
export const DATA_TYPES = [
  'CHAR',
  'BIGINT',
  'DECIMAL',
  'INT',
  'UNSIGNED BIGINT',
  'TINYINT',
  'TIMESTAMP',
  'TEXT',
  'VARCHAR',
  'DATETIME',
  'DOUBLE',
  'FLOAT',
  'DATE',
  'TIME',
  'YEAR',
  'MEDIUMINT',
  'SMALLINT',
  'BIT',
  'BINARY',
  'VARBINARY',
  'JSON',
  'ENUM',
  'SET',
  'TINYTEXT',
  'MEDIUMTEXT',
  'LONGTEXT',
  'TINYBLOB',
  'MEDIUMBLOB',
  'BLOB',
  'LONGBLOB',
] as const;

export type DataType = (typeof DATA_TYPES)[number];

export type ParameterValue = string | number | boolean | readonly (string | number)[];

/** A parameter of an endpoint: where it comes from and JSON Schema words for what it may be. */
export interface ParameterDefinition {
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly format?: 'date';
  readonly enum?: readonly (string | number)[];
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
  /** The name of a parameter of the same type that this one may not exceed, such as the end of a range of days. */
  readonly notAfter?: string;
  readonly description: string;
  readonly example?: ParameterValue;
}

/** What each item of an array is. */
export type ItemDefinition = Pick<
  ParameterDefinition,
  'type' | 'format' | 'enum' | 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'pattern'
>;

export interface ColumnDefinition {
  readonly col: string;
  readonly data_type: DataType;
  readonly nullable: boolean;
  /** Digits after the point, for DECIMAL, DOUBLE and FLOAT. */
  readonly scale?: number;
  readonly description: string;
}

export interface ExampleDefinition {
  readonly name: string;
  readonly params: Readonly<Record<string, ParameterValue>>;
  /** Expected rows; left out where the data decide. */
  readonly rows?: readonly Readonly<Record<string, string>>[];
}

/**
 * SQL whose rows, one text column `notice`, become entries of `data.result.notices`. It may use parameters. `always` runs for
 * every answer, and its result is remembered for as long as that of `data_as_of`; `empty` runs only when an answer has no rows.
 */
export interface NoticeDefinition {
  readonly when: 'always' | 'empty';
  readonly sql: string;
}

/** A definition file as the loader hands it on: checked, with `type` filled in for enums. */
export interface EndpointDefinition {
  readonly name: string;
  readonly path?: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly params: Readonly<Record<string, ParameterDefinition>>;
  readonly pagination?: { readonly default: number; readonly max: number };
  readonly columns: readonly ColumnDefinition[];
  readonly sql: string;
  readonly limits: {
    readonly rows: number;
    readonly timeoutMs: number;
    /** Queries that run at the same time; left out, the engine's own number. */
    readonly concurrency?: number;
  };
  /** SQL without parameters whose one cell is the time of the newest fact behind the answer. */
  readonly data_as_of?: string;
  /** The same for the time when what it reads was computed; left out, the answer is computed as it is asked for. */
  readonly computed_at?: string;
  /** An answer computed longer ago than this is stale. */
  readonly staleAfterMs?: number;
  readonly notices: readonly NoticeDefinition[];
  readonly examples: readonly ExampleDefinition[];
}

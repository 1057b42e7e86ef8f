/** The options of `endpoint new`. */
export interface NewOptions {
  readonly sql?: string;
  readonly table?: string;
  readonly name?: string;
  readonly path?: string;
  readonly summary?: string;
  readonly out?: string;
  readonly param: readonly string[];
  readonly keep: readonly string[];
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

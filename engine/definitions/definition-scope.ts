import type { PrivateData } from '../sql/reading/private-data.js';
import type { ClaimDefinitions } from './principal.js';

/** The values of variables of the environment by name; undefined if a variable is not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the program allows to definitions, in addition to their own text. */
export interface DefinitionScope {
  /** The tables and columns that definitions must not read. Default: they may read everything. */
  readonly privateData?: PrivateData | undefined;
  /** The beginnings of the paths of definitions. Default: `DEFAULT_PREFIXES`. */
  readonly prefixes?: readonly string[] | undefined;
  /** The variables that `{{ env.NAME }}` may bind. Default: none. */
  readonly environment?: Environment | undefined;
  /** The claims that `{{ caller.claims.NAME }}` may bind. Default: none. */
  readonly claims?: ClaimDefinitions | undefined;
  /** Who can read the definitions without `access`. Default: any caller. */
  readonly access?: readonly string[] | undefined;
  /** The conditions (SQL) on the rows of tables, by table. Default: none. */
  readonly rowFilters?: ReadonlyMap<string, string> | undefined;
  /** Whether the program stores the rows of materialized definitions. Otherwise, they are computed for each request. Default: false. */
  readonly materializes?: boolean | undefined;
}

import type { Chart } from '../../engine/charts/chart.js';
import type { DeclaredChart } from '../../engine/charts/check-chart.js';
import type { ChartField } from '../../engine/charts/result-column.js';
import type { DescribedParameter } from '../../engine/http/description/formats/parameters.js';
import type { ParameterValue } from '../../engine/index.js';

// The bodies of the operations under /console/. The console (web/) imports these types.

/** `outdated`: the file has problems, and its last good version is served. `broken`: requests fail. */
export type DefinitionState = 'served' | 'outdated' | 'broken';

export interface DefinitionSummary {
  readonly name: string;
  readonly path: string | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly state: DefinitionState;
  /** The day since which the definition is deprecated. */
  readonly deprecated: string | null;
  /** Who can read it: `signed-in`, `key` or `role:NAME`. Each entry is sufficient. Null for any caller. */
  readonly access: readonly string[] | null;
  /** Questions that the definition answers. Parameters are in braces. */
  readonly questions: readonly string[];
}

export interface DefinitionDetails extends DefinitionSummary {
  readonly summary: string;
  readonly description: string | null;
  readonly sunset: string | null;
  readonly parameters: readonly ConsoleParameter[];
  readonly columns: readonly ConsoleColumn[];
  /** The chart in the file, with a title. Null if the chart is chosen from the rows. */
  readonly chart: Chart | null;
  /** A sentence about the result with places for cells; null if the file has none. */
  readonly sentence: string | null;
  readonly maxRows: number;
  readonly timeoutMs: number;
  /** The page sizes. Null if the definition has no paging. */
  readonly pagination: { readonly default: number; readonly max: number } | null;
  readonly examples: readonly { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[];
}

export interface ConsoleParameter extends Omit<DescribedParameter, 'in'> {
  /** Whether the allowed values come from a query; `/q/choices/{name}/{parameter}/` returns them. */
  readonly hasChoices: boolean;
  /** The texts for allowed values that are names of columns, by value. Absent without such values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The parameter whose value must be the same or later. */
  readonly notAfter?: string;
}

export interface ConsoleColumn extends ChartField {
  readonly nullable: boolean;
  readonly description: string;
}

/** The features of the console in this service. The features do not depend on the caller. */
export interface ConsoleFeatures {
  /** Whether users can sign in with a browser. */
  readonly signIn: boolean;
  /** Whether a language model answers questions that no definition answers. */
  readonly model: boolean;
  /** Whether users can get weekly digests by e-mail. */
  readonly digests: boolean;
}

export interface ConsoleSession extends ConsoleFeatures {
  readonly version: string;
  /** The current time of the service (ISO 8601), which `NOW` can fix. The age of data must be calculated from this time. */
  readonly now: string;
  readonly user: {
    readonly login: string;
    readonly name: string;
    readonly avatarUrl: string;
    readonly isTrusted: boolean;
  } | null;
}

export interface PageSummary {
  readonly name: string | null;
  /** The path, for example `/p/ovens/{oven}`. Without parameters, it is the address of the page. */
  readonly path: string | null;
  /** The title. `{name}` is a placeholder for the value of a parameter. */
  readonly title: string | null;
  readonly summary: string | null;
  readonly state: DefinitionState;
}

export interface PageDetails extends PageSummary {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** The column of the first result whose value in the first row is the title, as soon as it is known. */
  readonly titleFrom: string | null;
  readonly parameters: readonly PageParameter[];
  readonly blocks: readonly PageBlock[];
}

export interface PageParameter extends ConsoleParameter {
  /** Where the URL of the page contains the value. Not named `in`, because generators of clients write invalid code for this name. */
  readonly place: 'path' | 'query';
}

/** A block of a page. In texts and values, `{name}` is a placeholder for the value of a parameter of the page. */
export interface PageBlock {
  /** The title in the file, or else the summary of the definition. */
  readonly title: string | null;
  readonly text: string | null;
  /** The name of the definition whose result is shown. */
  readonly endpoint: string | null;
  /** Who can read the definition, as in `DefinitionSummary`. */
  readonly access: readonly string[] | null;
  readonly params: Readonly<Record<string, ParameterValue>>;
  /** The chart in the file, or else the chart of the definition. */
  readonly chart: DeclaredChart | null;
  /** The chart of the definition, which images show. */
  readonly definitionChart: DeclaredChart | null;
  readonly width: 'full' | 'half' | 'third';
  /** The number of rows to show; null for all rows. */
  readonly rows: number | null;
  /** The columns of the result; empty for a block without a definition. */
  readonly columns: readonly ConsoleColumn[];
  /** The value of `page_size` with which the definition returns these rows. Null if the definition has no paging. */
  readonly pageSize: number | null;
}

/** The page at a path. */
export interface FoundPageDetails extends PageDetails {
  /** The values of the parameters in the path. */
  readonly values: Readonly<Record<string, string>>;
}

/** The names that match a text best, at most ten of each kind. */
export interface ConsoleSearch {
  readonly repositories: readonly { readonly id: number; readonly fullName: string }[];
  readonly people: readonly { readonly id: number; readonly login: string }[];
  readonly organizations: readonly { readonly id: number; readonly login: string }[];
  readonly collections: readonly { readonly id: number; readonly name: string }[];
}

import type { DeclaredChart } from '../../engine/charts/check-chart.js';
import type { ParameterDefinition, ParameterValue } from '../../engine/index.js';

/**
 * A page of the console, as declared in its file. In texts and in values of blocks, `{name}` is a placeholder for the value of a parameter.
 */
export interface Page {
  readonly name: string;
  /** The path of the page, for example `/p/ovens/{oven}`. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly params: Readonly<Record<string, ParameterDefinition>>;
  readonly blocks: readonly Block[];
}

/** A part of a page: a text, the result of a definition, or both. */
export interface Block {
  readonly title?: string;
  readonly text?: string;
  /** The name of a definition. */
  readonly endpoint?: string;
  readonly params: Readonly<Record<string, ParameterValue>>;
  readonly chart?: DeclaredChart;
  readonly width: 'full' | 'half' | 'third';
  /** The number of rows to show. */
  readonly rows?: number;
}

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
  /** The column of the first result whose value in the first row is the title, as soon as it is known. */
  readonly title_from?: string;
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

/** A placeholder in a text for the value of a parameter, such as `{owner}`. */
interface Place {
  readonly name: string;
  /** The offset of its opening brace. */
  readonly at: number;
}

/** Finds the placeholders in a text, and the first brace that does not belong to a placeholder. */
export function findPlaces(text: string): { readonly places: readonly Place[]; readonly stray: number | undefined } {
  const places = [...text.matchAll(PLACE)].map(({ 1: name = '', index: at }) => ({ name, at }));
  const stray = text.replaceAll(PLACE, (place) => ' '.repeat(place.length)).search(/[{}]/);
  return { places, stray: stray === -1 ? undefined : stray };
}

/** If a text consists of exactly one placeholder, returns its name. */
export function onlyPlace(text: string): string | undefined {
  return ONLY_PLACE.exec(text)?.[1];
}

/** Replaces the placeholders in a text. Placeholders without a value are removed. */
export function fillPlaces(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));
}

const PLACE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const ONLY_PLACE = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

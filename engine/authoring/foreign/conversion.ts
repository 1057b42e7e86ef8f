import type { Problem } from '../../definitions/problem.js';
import type { TemplateText } from './template/template-text.js';

/** A position in a foreign file. Lines and columns count from 1. */
export type SourcePlace = Pick<Problem, 'file' | 'line' | 'column'>;

/** A foreign file with SQL. Line breaks are `\n`. */
export interface SqlSource {
  readonly file: string;
  readonly text: string;
  /** The offsets at which the lines of the text start, in ascending order. */
  readonly lines: readonly number[];
}

/** A parameter in the form of a definition, and its position in the foreign file. */
export interface ConvertedParameter {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly place: SourcePlace;
}

/** A column that the foreign file declares. */
export interface DeclaredColumn {
  readonly name: string;
  /** The type of the cells; undefined if only the description is known. */
  readonly type?: string;
  readonly description?: string;
  /** Whether cells can be NULL. Undefined means that they can. */
  readonly nullable?: boolean;
}

/** The content of a foreign definition, converted to the keys of definition files. The types of columns are added later. */
export interface ConvertedDefinition {
  readonly name: string;
  readonly path?: string;
  /** The keys `summary`, `description`, `tags` and `deprecated`. */
  readonly texts: Readonly<Record<string, unknown>>;
  readonly params: ReadonlyMap<string, ConvertedParameter>;
  /** The keys `limits`, `pagination`, `cache` and `serve_stale`. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** The positions of top-level keys in the foreign file. Other keys have the position of the definition. */
  readonly places: Readonly<Record<string, SourcePlace>>;
  readonly columns: readonly DeclaredColumn[];
  readonly sql: TemplateText & { readonly source: SqlSource };
}

/** The result of the conversion of one foreign definition. The definition is rejected if there is a problem. */
export interface ConversionResult {
  /** The name of the definition, or the foreign name if the definition is rejected. */
  readonly name: string;
  /** The position at which the foreign definition starts. */
  readonly place: SourcePlace;
  readonly definition: ConvertedDefinition | undefined;
  readonly changes: readonly Problem[];
  readonly problems: readonly Problem[];
}

/** Collects what a conversion changes, and why it fails. */
export class ConversionLog {
  readonly changes: Problem[] = [];
  readonly problems: Problem[] = [];

  change(place: SourcePlace, key: string, message: string): void {
    this.changes.push({ ...place, key, message });
  }

  reject(place: SourcePlace, key: string, message: string, facts: Pick<Problem, 'expected' | 'got'> = {}): void {
    this.problems.push({ ...place, key, message, ...facts });
  }

  result(name: string, place: SourcePlace, definition: ConvertedDefinition | undefined): ConversionResult {
    const { changes, problems } = this;
    return { name, place, definition: problems.length === 0 ? definition : undefined, changes, problems };
  }
}

/** Returns the position of an offset in a file. */
export function placeIn({ file, lines }: SqlSource, offset: number): SourcePlace {
  let [first, last] = [0, lines.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if ((lines[middle] ?? 0) <= offset) first = middle;
    else last = middle - 1;
  }
  return { file, line: first + 1, column: offset - (lines[first] ?? 0) + 1 };
}

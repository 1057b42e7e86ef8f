/** The formats in which readers see the cells of a column. */
export const COLUMN_FORMATS = [
  'number',
  'id',
  'percent',
  'percent-change',
  'share',
  'change',
  'rank-change',
  'bytes',
  'yes-no',
  'date',
] as const;

export type ColumnFormat = (typeof COLUMN_FORMATS)[number];

/** How readers see the cells of a column, as its definition declares it. Programs get the cells unchanged. */
export interface ColumnPresentation {
  /** The name of the column in words. */
  readonly label?: string;
  /** The unit of the numbers, for example `hours`. */
  readonly unit?: string;
  readonly format?: ColumnFormat;
  /** The text for missing cells, for example `unknown`. */
  readonly nullAs?: string;
}

/** Returns the format of a column with numbers: the declared one, or else digits without separators for identifiers and years. */
export function formatOf({ name, format }: { readonly name: string } & ColumnPresentation): ColumnFormat {
  return format ?? (PLAIN_NUMBER.test(name) ? 'id' : 'number');
}

const PLAIN_NUMBER = /(^|_)(id|number|year)$/i;

/** The text for missing cells of columns that declare none. */
export const MISSING = '–';

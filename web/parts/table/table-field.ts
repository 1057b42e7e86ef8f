import type { ChartField } from '../../../engine/charts/result-column.js';

export interface TableField extends ChartField {
  readonly description?: string;
}

/** The view that the reader chose: the sorted columns (`name`, or `-name` for descending, separated by commas), and the hidden columns. */
export interface TableView {
  readonly sort?: string;
  readonly hidden?: readonly string[];
}

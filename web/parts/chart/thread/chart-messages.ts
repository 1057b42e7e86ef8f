import type { ChartSource } from '../../../../engine/charts/incomplete-times.js';
import type { Look } from '../../../../engine/charts/look.js';
import type { DrawnChart } from '../../../../engine/charts/options/fitting-height.js';
import type { ChartFields, ChartRows } from '../../../../engine/charts/result-column.js';

/** The data of a chart and how to draw it. */
export interface ChartRequest {
  readonly chart: DrawnChart;
  readonly fields: ChartFields;
  readonly rows: ChartRows;
  /** Whether the query has more rows than the result. */
  readonly isPart: boolean;
  readonly sources: readonly ChartSource[] | null;
  /** The time of the newest data (ISO 8601); null if it is unknown. */
  readonly dataAsOf: string | null;
  readonly look: Omit<Look, 'world'>;
  /** The number of device pixels per CSS pixel. */
  readonly ratio: number;
}

/** The texts that belong to a picture. */
export interface ChartTexts {
  readonly notes: readonly string[];
  readonly summary: string;
}

/** Messages to the thread. `id` identifies a chart of the page. */
export type ToThread = { readonly id: number } & (
  | { readonly kind: 'draw'; readonly request: ChartRequest }
  | { readonly kind: 'point'; readonly x: number; readonly y: number }
  | { readonly kind: 'leave' }
  | { readonly kind: 'close' }
);

/** A message from the thread: a picture, with its texts if it answers a request, or the reason why it could not be drawn. */
export type FromThread = { readonly id: number } & (
  | { readonly kind: 'picture'; readonly picture: ImageBitmap; readonly texts?: ChartTexts }
  | { readonly kind: 'failed'; readonly reason: string }
);

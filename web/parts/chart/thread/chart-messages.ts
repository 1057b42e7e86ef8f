import type { ChartSource } from '../../../../engine/charts/incomplete-times.js';
import type { Look } from '../../../../engine/charts/look.js';
import type { DrawnChart } from '../../../../engine/charts/options/fitting-height.js';
import type { ChartFields, ChartRows } from '../../../../engine/charts/result-column.js';

/** What a chart shows, and how. */
export interface ChartRequest {
  readonly chart: DrawnChart;
  readonly fields: ChartFields;
  readonly rows: ChartRows;
  /** Whether the result has more rows. */
  readonly isPart: boolean;
  readonly sources: readonly ChartSource[] | null;
  readonly look: Omit<Look, 'world'>;
  /** Pixels of the screen for each pixel of the page. */
  readonly ratio: number;
}

/** The texts that belong to a picture. */
export interface ChartTexts {
  readonly notes: readonly string[];
  readonly summary: string;
}

/** Messages to the thread. Each chart of a page has its own `id`. */
export type ToThread = { readonly id: number } & (
  | { readonly kind: 'draw'; readonly request: ChartRequest }
  | { readonly kind: 'point'; readonly x: number; readonly y: number }
  | { readonly kind: 'leave' }
  | { readonly kind: 'close' }
);

/** Messages from the thread: a picture, with its texts if it answers a request, or the reason why it is missing. */
export type FromThread = { readonly id: number } & (
  | { readonly kind: 'picture'; readonly picture: ImageBitmap; readonly texts?: ChartTexts }
  | { readonly kind: 'failed'; readonly reason: string }
);

import type { Chart } from '../../engine/charts/chart.js';
import type { ChartView } from '../../engine/charts/chart-views.js';
import type { Theme } from '../../engine/charts/look.js';
import type { ChartFields } from '../../engine/charts/result-column.js';

/** The message that the drawing thread sends after it has loaded its modules. */
export const READY = 'ready';

/** An image to draw. The job is sent to the drawing thread, so it contains only plain data. */
export interface ImageJob {
  readonly format: 'svg' | 'png';
  readonly look: ImageLook;
  readonly content: ImageContent;
}

export interface ImageLook {
  readonly theme: Theme;
  /** The width in pixels. */
  readonly width: number;
  /** The height in pixels. If `height` is absent, the height fits the chart. */
  readonly height?: number;
}

export type ImageContent =
  | {
      readonly kind: 'result';
      readonly title: string;
      /** A text about what the caller requested, such as parameter values. */
      readonly subtitle: string;
      /** The response body of `/q/{name}`, as JSON in UTF-8. */
      readonly body: Uint8Array;
      /** The columns of the definition, and how readers see them. */
      readonly columns: ChartFields;
      /** The chart that the definition declares. */
      readonly chart: Chart | null;
      /** The view of the chart that the caller requested. */
      readonly chartView?: ChartView;
      /** Facts that are not in the body, such as an outdated definition. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'message'; readonly title: string; readonly message: string };

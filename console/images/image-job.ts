import type { Chart } from '../../engine/charts/chart.js';
import type { Theme } from '../../engine/charts/look.js';

/** The message of the thread that draws, when it has loaded its modules. */
export const READY = 'ready';

/** An image to draw. It is sent to the thread that draws, so it contains only data. */
export interface ImageJob {
  readonly format: 'svg' | 'png';
  readonly look: ImageLook;
  readonly content: ImageContent;
}

export interface ImageLook {
  readonly theme: Theme;
  /** Pixels. */
  readonly width: number;
  /** Without it, the image has the height that fits its chart. */
  readonly height?: number;
}

export type ImageContent =
  | {
      readonly kind: 'result';
      readonly title: string;
      /** What the caller asked for, such as the values of the parameters. */
      readonly subtitle: string;
      /** The body of the answer of `/q/{name}`, as JSON in UTF-8. */
      readonly body: Uint8Array;
      /** The chart of the definition. */
      readonly chart: Chart | null;
      /** The kind that the caller chose. */
      readonly chartName?: string;
      /** Facts that are not in the body, such as an outdated definition. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'message'; readonly title: string; readonly message: string };

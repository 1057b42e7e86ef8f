import { init, setPlatformAPI, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { LIBRARY_PARTS, registerWorld } from '../../../../engine/charts/library.js';
import type { World, WorldFile } from '../../../../engine/charts/look.js';

use([...LIBRARY_PARTS, CanvasRenderer]);

// A worker thread has no document, so texts are measured and patterns are drawn in offscreen canvases.
setPlatformAPI({ createCanvas: () => new OffscreenCanvas(1, 1) as unknown as HTMLCanvasElement });

let world: Promise<World> | undefined;

/** Loads the world map, only once. */
export function loadWorld(): Promise<World> {
  world ??= import('../../../../engine/charts/generated/world.json').then(({ default: file }) =>
    registerWorld(file as unknown as WorldFile),
  );
  world.catch(() => {
    world = undefined;
  });
  return world;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A chart that is drawn in an offscreen canvas. */
export class Canvas {
  readonly #canvas = new OffscreenCanvas(1, 1);
  readonly #chart;
  #isDrawing = false;

  /** `onChange` is called when the chart has redrawn itself, for example with a tooltip. */
  constructor({ width, height }: Size, ratio: number, onChange: () => void) {
    const host = this.#canvas as unknown as HTMLCanvasElement;
    this.#chart = init(host, undefined, { renderer: 'canvas', width, height, devicePixelRatio: ratio });
    this.#chart.getZr().on('rendered', () => {
      if (!this.#isDrawing) onChange();
    });
  }

  draw(option: Readonly<Record<string, unknown>>, { width, height }: Size): void {
    this.#isDrawing = true;
    if (width !== this.#chart.getWidth() || height !== this.#chart.getHeight()) this.#chart.resize({ width, height });
    this.#chart.setOption(option, { notMerge: true });
    this.#chart.getZr().flush();
    this.#isDrawing = false;
  }

  picture(): Promise<ImageBitmap> {
    return createImageBitmap(this.#canvas);
  }

  /** Reports the position of the pointer in the picture. */
  point(zrX: number, zrY: number): void {
    this.#chart.getZr().handler.dispatch('mousemove', { zrX, zrY });
  }

  /** Reports that the pointer left the picture. */
  leave(): void {
    this.#chart.getZr().handler.dispatch('mouseout', { zrX: -1, zrY: -1 });
  }

  close(): void {
    this.#chart.dispose();
  }
}

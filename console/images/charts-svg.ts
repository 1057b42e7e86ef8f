import { readFileSync } from 'node:fs';
import { init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { LIBRARY_PARTS, registerWorld } from '../../engine/charts/library.js';
import type { World, WorldFile } from '../../engine/charts/look.js';
import type { ChartOption } from '../../engine/charts/options/drawing.js';
import { withoutInvalid } from '../xml-text.js';
import { textWidth } from './svg-text.js';

use([...LIBRARY_PARTS, SVGRenderer]);
setPlatformAPI({
  measureText: (text, font = '12px') => ({
    width: textWidth(text, Number.parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? '12')),
  }),
});

/** Reads the world map from a file that the build wrote. */
export function loadWorld(file: URL): World {
  return registerWorld(JSON.parse(readFileSync(file, 'utf8')) as WorldFile);
}

/** Draws a chart as an SVG element that can be placed in another SVG. */
export function drawOption(option: ChartOption, width: number, height: number): string {
  const chart = init(null, undefined, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(withoutPointer(option));
    return withoutInvalid(chart.renderToSVGString())
      .replaceAll(HOVER_STYLES, '')
      .replaceAll(CLASSES, '')
      .replaceAll(NUMBERED_IDS, '$1zr-');
  } finally {
    chart.dispose();
  }
}

/** Removes options that only matter for a pointer, because preparing them takes time. */
function withoutPointer(option: ChartOption): ChartOption {
  const series = (option.series as readonly ChartOption[]).map((one) => ({
    ...one,
    silent: true,
    emphasis: { disabled: true },
  }));
  return { ...option, series, tooltip: { show: false } };
}

/**
 * Matches style sheets and attributes for the pointer, which an image does not need. Style sheets also depend on previously drawn images.
 */
const HOVER_STYLES = /<style >.*?<\/style>/gs;
const CLASSES = / (?:class="zr\d+-cls-\d+"|ecmeta_\w+="[^"]*")/g;
/**
 * Matches ids of clip paths and patterns, which contain the number of previously drawn images. Without the number, equal charts have equal
 * bytes.
 */
const NUMBERED_IDS = /(id="|url\(#|href="#)zr\d+-/g;

import { BarChart, LineChart, MapChart, PieChart } from 'echarts/charts';
import {
  AriaComponent,
  GeoComponent,
  GridComponent,
  LegendPlainComponent,
  TooltipComponent,
  VisualMapPiecewiseComponent,
} from 'echarts/components';
import { init, registerMap, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { readWorld, WORLD_MAP, type World } from '../../../charts/look.js';

/** The parts of ECharts that the charts use. */
use([
  BarChart,
  LineChart,
  MapChart,
  PieChart,
  AriaComponent,
  GeoComponent,
  GridComponent,
  LegendPlainComponent,
  TooltipComponent,
  VisualMapPiecewiseComponent,
  CanvasRenderer,
]);

export interface Canvas {
  /** The countries of the map, if it is loaded. */
  readonly world: World | undefined;
  readonly create: (host: HTMLElement) => DrawnCanvas;
}

interface DrawnCanvas {
  readonly draw: (option: Readonly<Record<string, unknown>>) => void;
  readonly dispose: () => void;
}

export async function loadCanvas(withMap: boolean): Promise<Canvas> {
  return { world: withMap ? await loadWorld() : undefined, create };
}

async function loadWorld(): Promise<World> {
  const file = (await import('../../../charts/generated/world.json')).default;
  registerMap(WORLD_MAP, file.map as Parameters<typeof registerMap>[1]);
  return readWorld(file);
}

function create(host: HTMLElement): DrawnCanvas {
  // ECharts empties its element with `innerHTML = ''`. The policy of the page does not allow this, even for an empty text.
  Object.defineProperty(host, 'innerHTML', { configurable: true, get: () => '', set: () => host.replaceChildren() });
  const chart = init(host, undefined, { renderer: 'canvas' });
  const resize = new ResizeObserver(() => chart.resize());
  resize.observe(host);
  return {
    draw: (option) => chart.setOption(option, { notMerge: true }),
    dispose: () => {
      resize.disconnect();
      chart.dispose();
    },
  };
}

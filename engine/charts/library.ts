import { BarChart, LineChart, MapChart, PieChart } from 'echarts/charts';
import {
  AriaComponent,
  GeoComponent,
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  TooltipComponent,
  VisualMapPiecewiseComponent,
} from 'echarts/components';
import { registerMap } from 'echarts/core';
import { readWorld, WORLD_MAP, type World, type WorldFile } from './look.js';

/** The parts of ECharts that the options use. Each place that draws adds its renderer. */
export const LIBRARY_PARTS = [
  BarChart,
  LineChart,
  MapChart,
  PieChart,
  AriaComponent,
  GeoComponent,
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  TooltipComponent,
  VisualMapPiecewiseComponent,
];

/** Gives the countries of the map to ECharts. */
export function registerWorld(file: WorldFile): World {
  registerMap(WORLD_MAP, file.map as unknown as Parameters<typeof registerMap>[1]);
  return readWorld(file);
}

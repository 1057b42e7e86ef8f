import { BarChart, HeatmapChart, LineChart, MapChart, PieChart } from 'echarts/charts';
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

/** The parts of ECharts that the chart options use. Each program that draws charts also registers a renderer. */
export const LIBRARY_PARTS = [
  BarChart,
  HeatmapChart,
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

/** Registers the world map in ECharts, and returns its countries. */
export function registerWorld(file: WorldFile): World {
  registerMap(WORLD_MAP, file.map as unknown as Parameters<typeof registerMap>[1]);
  return readWorld(file);
}

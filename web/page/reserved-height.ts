import type { Chart } from '../../charts/chart.js';
import { fittingHeight } from '../../charts/options/draw-chart.js';
import type { PageBlock } from '../api/pages.js';

export const MAX_TABLE_HEIGHT = 420;
const ROW_HEIGHT = 37;
const USUAL_ROWS = 10;

/** Returns the height in pixels that is reserved before a result is known, so that the page does not move. */
export function reservedHeight({ chart, rows }: PageBlock, width = 600): number {
  switch (chart?.chartName) {
    case undefined:
      return usualHeight(width);
    case 'NumberCard':
      return 96;
    case 'PersonalCard':
    case 'RepoCard':
      return 160;
    case 'Table':
      return Math.min(MAX_TABLE_HEIGHT, ROW_HEIGHT * ((rows ?? USUAL_ROWS) + 1));
    case 'BarChart': {
      if (rows === null) return usualHeight(width);
      const column = { name: chart.x, columnType: 'VARCHAR' };
      const labels = Array.from({ length: rows }, (_, index) => ({ [chart.x]: `row ${index}` }));
      return fittingHeight({ ...chart, title: '' } as Chart, [column], labels, width);
    }
    case 'LineChart':
    case 'PieChart':
    case 'MapChart':
      return fittingHeight({ ...chart, title: '' } as Chart, [], [], width);
  }
}

/** The height of a result whose chart is not known before its rows. */
function usualHeight(width: number): number {
  return fittingHeight({ chartName: 'LineChart', x: '', y: [], title: '' }, [], [], width);
}

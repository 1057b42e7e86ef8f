import type { Chart } from '../../engine/charts/chart.js';
import { fittingHeight } from '../../engine/charts/options/fitting-height.js';
import type { PageBlock } from '../api/pages.js';

export const MAX_TABLE_HEIGHT = 420;
const ROW_HEIGHT = 37;
const USUAL_ROWS = 10;

/** Returns the height in pixels that is reserved before a result is known, so that the page does not move. */
export function reservedHeight({ chart, rows, columns }: PageBlock, width = 600): number {
  switch (chart?.chartName) {
    case undefined:
      return rows === null ? usualHeight(width) : Math.min(usualHeight(width), ROW_HEIGHT * (rows + 1));
    case 'NumberCard':
      return 96;
    case 'PersonalCard':
    case 'RepoCard':
      return cardHeight(columns.length, width);
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
    case 'HeatMap':
      return fittingHeight({ ...chart, title: '' } as Chart, [], [], width);
  }
}

/** The estimated height of a result whose chart is not known before its rows are. */
function usualHeight(width: number): number {
  return fittingHeight({ chartName: 'LineChart', x: '', y: [], title: '' }, [], [], width);
}

/** The height of a card, which lists the other columns of a row. */
function cardHeight(columns: number, width: number): number {
  const perLine = Math.max(1, Math.floor((width + FACT_GAP) / (FACT_WIDTH + FACT_GAP)));
  return CARD_HEAD + FACT_HEIGHT * Math.ceil((columns - 1) / perLine);
}

const FACT_WIDTH = 144;
const FACT_GAP = 16;
const FACT_HEIGHT = 59;
const CARD_HEAD = 40;

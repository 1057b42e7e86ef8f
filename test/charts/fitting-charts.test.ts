import { expect } from 'chai';
import type { Chart } from '../../engine/charts/chart.js';
import { viewOf } from '../../engine/charts/chart-views.js';
import { fittingCharts, selectChart } from '../../engine/charts/fitting-charts.js';
import type { ChartCell } from '../../engine/charts/result-column.js';

function resultOf(names: readonly string[], cells: readonly (readonly ChartCell[])[]) {
  const fields = names.map((text) => {
    const [name = '', columnType = ''] = text.split(' ');
    return { name, columnType };
  });
  const rows = cells.map((row) => Object.fromEntries(fields.map(({ name }, index) => [name, row[index] ?? null])));
  return { title: 'T', fields, rows };
}

const MONTHS = resultOf(
  ['month DATE', 'stars BIGINT', 'forks BIGINT'],
  [
    ['2026-01-01', 3, 1],
    ['2026-02-01', 5, 2],
  ],
);
const COUNTRIES = resultOf(
  ['country CHAR', 'stars BIGINT'],
  [
    ['DE', 3],
    ['UNKNOWN', 5],
  ],
);
const LONG = resultOf(
  ['month DATE', 'repo_name VARCHAR', 'stars BIGINT'],
  [
    ['2026-01-01', 'a/b', 3],
    ['2026-01-01', 'c/d', 4],
    ['2026-02-01', 'a/b', 5],
  ],
);
const RANKING = resultOf(
  ['repo_name VARCHAR', 'forks BIGINT', 'score DOUBLE'],
  [
    ['a/b', 1, 9.5],
    ['c/d', 4, 7.5],
    ['e/f', 2, 1.5],
  ],
);

describe('the charts that fit a result', () => {
  const kinds = ({ title, fields, rows }: ReturnType<typeof resultOf>) =>
    fittingCharts(title, fields, rows).map(({ title: _, ...chart }) => chart);

  it('shows times as lines or bars', () => {
    expect(kinds(MONTHS)).to.deep.equal([
      { chartName: 'LineChart', x: 'month', y: ['stars', 'forks'] },
      { chartName: 'BarChart', x: 'month', y: ['stars'] },
      { chartName: 'Table', columns: ['month', 'stars', 'forks'] },
    ]);
  });

  it('shows countries on a map, as bars or as a pie', () => {
    expect(kinds(COUNTRIES)).to.deep.equal([
      { chartName: 'MapChart', country: 'country', value: 'stars' },
      { chartName: 'BarChart', x: 'country', y: ['stars'] },
      { chartName: 'PieChart', label: 'country', value: 'stars' },
      { chartName: 'Table', columns: ['country', 'stars'] },
    ]);
  });

  it('shows a line per name for rows with a time and a name', () => {
    expect(kinds(LONG)[0]).to.deep.equal({ chartName: 'LineChart', x: 'month', y: ['stars'], series: 'repo_name' });
  });

  it('shows the number by which a ranking is sorted', () => {
    expect(kinds(RANKING)[0]).to.deep.equal({ chartName: 'BarChart', x: 'repo_name', y: ['score'] });
  });

  it('shows only a table without rows', () => {
    expect(kinds({ ...MONTHS, rows: [] })).to.deep.equal([
      { chartName: 'Table', columns: ['month', 'stars', 'forks'] },
    ]);
  });
});

describe('the chart that a reader sees', () => {
  const bars: Chart = { chartName: 'BarChart', title: 'Own title', x: 'month', y: ['forks'] };
  const number: Chart = { chartName: 'NumberCard', title: 'One', value: 'stars' };

  it('is the one of the definition', () => {
    expect(selectChart(MONTHS, bars, undefined).chart).to.deep.equal(bars);
  });

  it('is the kind that the reader chose, with the columns of the definition', () => {
    expect(selectChart(MONTHS, bars, 'BarChart').chart).to.deep.equal(bars);
    expect(selectChart(MONTHS, bars, 'LineChart').chart.chartName).to.equal('LineChart');
  });

  it('is the usual one if the reader chose a kind that does not fit', () => {
    expect(selectChart(MONTHS, null, 'MapChart').chart.chartName).to.equal('LineChart');
  });

  describe('in other ways', () => {
    const viewsOf = (result: ReturnType<typeof resultOf>, preferred: Chart | null = null) =>
      selectChart(result, preferred, undefined).fitting.map(viewOf);
    const groups = { chartName: 'BarChart', title: 'T', x: 'month', y: ['stars', 'forks'] } as const;

    it('can be lines on a logarithmic axis, if values differ very much and none is negative', () => {
      const lines = (...values: ChartCell[]) =>
        resultOf(
          ['month DATE', 'stars BIGINT'],
          values.map((value, index) => [`2026-0${index + 1}-01`, value]),
        );
      expect(viewsOf(lines(1, 0, 19, null))).to.deep.equal(['LineChart', 'BarChart', 'Table']);
      expect(viewsOf(lines(1, 0, 20, null))).to.deep.equal(['LineChart', 'LogLineChart', 'BarChart', 'Table']);
      expect(viewsOf(lines(1, -1, 20))).to.deep.equal(['LineChart', 'BarChart', 'Table']);
      expect(selectChart(lines(1, 20), null, 'LogLineChart').chart).to.deep.include({
        chartName: 'LineChart',
        scale: 'log',
      });
    });

    it('can be stacked bars and shares, if several series have one unit and none is negative', () => {
      const stacked = ['BarChart', 'StackedBarChart', 'ShareBarChart', 'LineChart', 'Table'];
      const plain = ['BarChart', 'LineChart', 'Table'];
      const [month] = MONTHS.fields;
      const withUnits = (...units: readonly (string | undefined)[]) => {
        const numbers = ['stars', 'forks'].map((name, index) => ({
          ...{ name, columnType: 'BIGINT' },
          ...(units[index] !== undefined && { unit: units[index] }),
        }));
        return { ...MONTHS, fields: [month, ...numbers] } as typeof MONTHS;
      };
      const people = withUnits('people', 'people');
      expect(viewsOf(people, groups)).to.deep.equal(stacked);
      expect(selectChart(people, groups, 'ShareBarChart').chart).to.deep.equal({ ...groups, stack: 'share' });
      expect(viewsOf(people, { ...groups, y: ['stars'] })).to.deep.equal(plain);
      for (const units of [[], ['people', 'hours']]) expect(viewsOf(withUnits(...units), groups)).to.deep.equal(plain);
      for (const forks of [-1, 0.5]) {
        const rows = [...MONTHS.rows, { month: '2026-03-01', stars: 1, forks }];
        expect(viewsOf({ ...people, rows }, groups), String(forks)).to.deep.equal(plain);
      }
    });

    it('are not stacked if there are more series than a chart shows', () => {
      const bars = { chartName: 'BarChart', title: 'T', x: 'month', y: ['stars'], series: 'language' } as const;
      const languages = (count: number) =>
        resultOf(
          ['month VARCHAR', 'language VARCHAR', 'stars BIGINT'],
          Array.from({ length: count }, (_, index) => ['January', `L${index}`, 10]),
        );
      expect(viewsOf(languages(10), bars)).to.include('ShareBarChart');
      expect(viewsOf(languages(11), bars)).not.to.include('ShareBarChart');
    });
  });

  it('is not a card of one row if the result has more rows', () => {
    expect(selectChart(MONTHS, number, undefined).chart.chartName).to.equal('LineChart');
  });
});

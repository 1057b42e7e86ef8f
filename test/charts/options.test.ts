import { expect } from 'chai';
import { interruptAtGaps } from '../../engine/charts/gaps.js';
import { plainText, shortLabel } from '../../engine/charts/label-text.js';
import type { Look } from '../../engine/charts/look.js';
import { drawChart } from '../../engine/charts/options/draw-chart.js';
import { MAX_POINTS, samplePoints } from '../../engine/charts/options/draw-lines.js';
import { fittingHeight } from '../../engine/charts/options/fitting-height.js';
import { valueIntervals } from '../../engine/charts/options/value-scale.js';
import type { Point } from '../../engine/charts/read-lines.js';
import { withoutFunctions } from './plain-option.js';

const LOOK: Look = {
  theme: 'light',
  width: 600,
  height: 300,
  locale: 'en',
  world: { codes: { DE: 'DE', DEU: 'DE', SG: 'SG', GF: 'GF' }, drawn: new Set(['DE', 'SG']), circles: new Set(['SG']) },
};
const HOSTILE = '<img src=x onerror=alert(1)>{a|b}\u202e\n';

const seriesOf = (option: unknown) => (option as { series: Record<string, unknown>[] }).series;

describe('the options of charts', () => {
  it('have whole ticks between whole numbers, and space for every line of the legend', () => {
    const names = Array.from({ length: 8 }, (_, index) => `owner-${index}/a-long-name-of-a-repository`);
    const fields = [
      { name: 'day', columnType: 'DATE' },
      { name: 'repo', columnType: 'VARCHAR' },
      { name: 'stars', columnType: 'DOUBLE' },
    ];
    const rowsOf = (stars: number) =>
      names.flatMap((repo) => [1, 2].map((day) => ({ day: `2026-01-0${day}`, repo, stars })));
    const chart = { chartName: 'LineChart', title: 'T', x: 'day', y: ['stars'], series: 'repo' } as const;
    const minIntervals = [1, 0.5].map((stars) => {
      const { yAxis } = drawChart(chart, fields, rowsOf(stars), LOOK).option as { yAxis: { minInterval?: number } };
      return yAxis.minInterval;
    });
    const heights = [300, 2000].map((width) => fittingHeight(chart, fields, rowsOf(1), width));
    expect({ minIntervals, heights }).to.deep.equal({ minIntervals: [1, undefined], heights: [260 + 196, 320 + 52] });
  });

  it('draws lines at their times in UTC, and keeps gaps', () => {
    const fields = [
      { name: 'day', columnType: 'DATE' },
      { name: 'stars', columnType: 'BIGINT' },
    ];
    const rows = [
      { day: '2026-01-03', stars: 5 },
      { day: '2026-01-01', stars: 7 },
      { day: '2026-01-02', stars: null },
    ];
    const { option, notes, summary } = drawChart(
      { chartName: 'LineChart', title: 'T', x: 'day', y: ['stars'] },
      fields,
      rows,
      LOOK,
    );
    const [line] = seriesOf(withoutFunctions(option));
    expect(line?.data).to.deep.equal([
      { value: [Date.UTC(2026, 0, 1), 7], symbol: 'circle' },
      [Date.UTC(2026, 0, 2), null],
      { value: [Date.UTC(2026, 0, 3), 5], symbol: 'circle' },
    ]);
    expect([line?.connectNulls, notes]).to.deep.equal([false, []]);
    expect(summary).to.equal(
      'Line chart. Stars: 2 points, from 7 (Jan 1, 2026) to 5 (Jan 3, 2026); highest 7 (Jan 1, 2026).',
    );
  });

  it('draws one line per value of the series, at most ten, with a note', () => {
    const fields = [
      { name: 'year', columnType: 'INT' },
      { name: 'kind', columnType: 'VARCHAR' },
      { name: 'n', columnType: 'INT' },
    ];
    const rows = Array.from({ length: 24 }, (_, index) => ({
      year: 2020 + (index % 2),
      kind: `k${index >> 1}`,
      n: index,
    }));
    const { option, notes } = drawChart(
      { chartName: 'LineChart', title: 'T', x: 'year', y: ['n'], series: 'kind' },
      fields,
      rows,
      LOOK,
    );
    const lines = seriesOf(option);
    expect(lines.map(({ name }) => name)).to.deep.equal('k0 k1 k2 k3 k4 k5 k6 k7 k8 k9'.split(' '));
    expect(new Set(lines.map(({ symbol, lineStyle }) => JSON.stringify([symbol, lineStyle]))).size).to.equal(10);
    expect(notes).to.deep.equal(['10 of 12 lines are shown.']);
  });

  it('draws a cell per pair, adds the values of its rows, and leaves pairs without a value empty', () => {
    const fields = [
      { name: 'weekday', columnType: 'VARCHAR' },
      { name: 'hour', columnType: 'INT' },
      { name: 'opened', columnType: 'BIGINT' },
    ];
    const rows = [
      { weekday: 'Monday', hour: 13, opened: 2 },
      { weekday: 'Monday', hour: 9, opened: 1 },
      { weekday: 'Friday', hour: 9, opened: null },
      { weekday: 'Monday', hour: 13, opened: 3 },
    ];
    const chart = { chartName: 'HeatMap', title: 'T', column: 'hour', row: 'weekday', value: 'opened' } as const;
    const { option, notes, summary } = drawChart(chart, fields, rows, LOOK);
    const { xAxis, yAxis, tooltip } = option as {
      xAxis: { data: string[] };
      yAxis: { data: string[] };
      tooltip: { formatter: (hovered: unknown) => string };
    };
    expect([xAxis.data, yAxis.data]).to.deep.equal([
      ['9', '13'],
      ['Monday', 'Friday'],
    ]);
    expect(seriesOf(option)[0]?.data).to.deep.equal([
      [1, 0, 5],
      [0, 0, 1],
    ]);
    expect(tooltip.formatter({ dataIndex: 0 })).to.equal('Weekday Monday, Hour 13: 5');
    expect([notes, summary]).to.deep.equal([
      [],
      'Heat map with 2 columns and 2 rows. Highest: Weekday Monday, Hour 13: 5; Weekday Monday, Hour 9: 1.',
    ]);
  });

  it('states how many columns and rows of a heat map are not shown', () => {
    const fields = ['a', 'b', 'n'].map((name) => ({ name, columnType: 'INT' }));
    const rows = Array.from({ length: 70 }, (_, index) => ({ a: index, b: index % 3, n: 1 }));
    const chart = { chartName: 'HeatMap', title: 'T', column: 'a', row: 'b', value: 'n' } as const;
    expect(drawChart(chart, fields, rows, LOOK).notes).to.deep.equal(['60 of 70 columns are shown.']);
    expect(fittingHeight(chart, fields, rows, 600)).to.equal(84 + 3 * 26);
  });

  it('draws the best rank at the top', () => {
    const fields = [
      { name: 'date', columnType: 'DATE' },
      { name: 'stars_rank', columnType: 'BIGINT' },
    ];
    const rows = [
      { date: '2026-01-01', stars_rank: 3 },
      { date: '2026-02-01', stars_rank: 1 },
    ];
    const { option } = drawChart(
      { chartName: 'LineChart', title: 'T', x: 'date', y: ['stars_rank'] },
      fields,
      rows,
      LOOK,
    );
    const { yAxis } = option as { yAxis: Record<string, unknown> };
    const { inverse, min, minInterval, nameLocation } = yAxis;
    expect({ inverse, min, minInterval, nameLocation }).to.deep.equal({
      inverse: true,
      min: 1,
      minInterval: 1,
      nameLocation: 'start',
    });
    expect(seriesOf(option)[0]).not.to.have.property('areaStyle');
  });

  it('draws lines on a logarithmic axis with gaps for zeros, whose number a note states', () => {
    const fields = [
      { name: 'age', columnType: 'BIGINT' },
      { name: 'stars', columnType: 'BIGINT' },
    ];
    const rows = [0, 3, null, 4000].map((stars, age) => ({ age, stars }));
    const chart = { chartName: 'LineChart', title: 'T', x: 'age', y: ['stars'], scale: 'log' } as const;
    const { option, notes } = drawChart(chart, fields, rows, LOOK);
    const { yAxis } = option as { yAxis: { type: string; minInterval?: number } };
    expect([yAxis.type, yAxis.minInterval]).to.deep.equal(['log', undefined]);
    expect(seriesOf(option)[0]?.areaStyle).to.equal(undefined);
    expect(seriesOf(option)[0]?.data).to.deep.equal([
      [0, null, 0],
      { value: [1, 3], symbol: 'circle' },
      [2, null],
      { value: [3, 4000], symbol: 'circle' },
    ]);
    const { tooltip } = option as { tooltip: { formatter: (hovered: readonly object[]) => string } };
    const textAt = (value: readonly (number | null)[]) => tooltip.formatter([{ seriesId: '0', value }]);
    expect([textAt([0, null, 0]), textAt([2, null])]).to.deep.equal(['0\n0', '2\n–']);
    expect(notes).to.deep.equal(['The axis is logarithmic.', 'Values of 0 have no place on it: 1.']);
  });

  describe('stacked bars', () => {
    const fields = [
      { name: 'repo', columnType: 'VARCHAR' },
      { name: 'issues', columnType: 'BIGINT' },
      { name: 'pulls', columnType: 'BIGINT' },
    ];
    const rows = [
      { repo: 'a/b', issues: 1, pulls: 3 },
      { repo: 'c/d', issues: 0, pulls: 0 },
      { repo: 'e/f', issues: 5, pulls: null },
    ];
    const chart = { chartName: 'BarChart', title: 'T', x: 'repo', y: ['issues', 'pulls'] } as const;
    const drawn = (stack: 'total' | 'share') => drawChart({ ...chart, stack }, fields, rows, LOOK);
    const tooltipOf = (stack: 'total' | 'share', dataIndex: number) => {
      const { formatter } = drawn(stack).option.tooltip as { formatter: (hovered: unknown) => string };
      return formatter([{ dataIndex }]);
    };

    it('contain the values, and a note states how many are missing', () => {
      const { option, notes } = drawn('total');
      expect(seriesOf(option).map(({ stack, data }) => [stack, data])).to.deep.equal([
        ['all', [1, 0, 5]],
        ['all', [3, 0, null]],
      ]);
      expect(notes).to.deep.equal(['Missing values, which the sums do not contain: 1.']);
      expect(tooltipOf('total', 0)).to.equal('a/b\nIssues: 1\nPulls: 3');
    });

    it('can be shares of the known values; without any, there is no bar', () => {
      const { option, notes } = drawn('share');
      expect(seriesOf(option).map(({ data }) => data)).to.deep.equal([
        [0.25, null, 1],
        [0.75, null, null],
      ]);
      expect((option as { xAxis: { max: number } }).xAxis.max).to.equal(1);
      expect(notes).to.deep.equal(['Missing values, which the sums do not contain: 1.']);
      expect(tooltipOf('share', 0)).to.equal('a/b\nIssues: 1 (25%)\nPulls: 3 (75%)');
    });

    it('need the height of one bar per label', () => {
      const heights = [chart, { ...chart, stack: 'total' } as const].map((one) =>
        fittingHeight(one, fields, rows, 600),
      );
      expect(heights).to.deep.equal([44 + 3 * 38 + 28, 44 + 3 * 26 + 28]);
    });
  });

  it('draws horizontal bars in the order of the rows, and states how many are not shown', () => {
    const fields = [
      { name: 'repo_name', columnType: 'VARCHAR' },
      { name: 'stars', columnType: 'BIGINT' },
    ];
    const rows = Array.from({ length: 30 }, (_, index) => ({ repo_name: `a/r${index}`, stars: (index * 7) % 30 }));
    const { option, notes } = drawChart(
      { chartName: 'BarChart', title: 'T', x: 'repo_name', y: ['stars'] },
      fields,
      rows,
      LOOK,
    );
    const { yAxis } = option as { yAxis: { data: string[]; inverse: boolean } };
    expect([yAxis.data.length, yAxis.data.slice(0, 2), yAxis.inverse]).to.deep.equal([9, ['a/r0', 'a/r1'], true]);
    expect(seriesOf(option)[0]?.data).to.deep.equal([0, 7, 14, 21, 28, 5, 12, 19, 26]);
    expect(notes).to.deep.equal(['9 of 30 bars are shown.']);
  });

  it('combines the smallest slices of a pie', () => {
    const fields = [
      { name: 'kind', columnType: 'VARCHAR' },
      { name: 'n', columnType: 'INT' },
    ];
    const rows = Array.from({ length: 10 }, (_, index) => ({ kind: `k${index}`, n: index === 4 ? null : 10 - index }));
    const { option, notes } = drawChart(
      { chartName: 'PieChart', title: 'T', label: 'kind', value: 'n' },
      fields,
      rows,
      LOOK,
    );
    const data = seriesOf(option)[0]?.data as { name: string; value: number }[];
    expect(data.map(({ name, value }) => [name, value]).slice(-2)).to.deep.equal([
      ['k7', 3],
      ['2 others', 3],
    ]);
    expect(notes).to.deep.equal([
      'The smallest 2 of 9 rows are combined.',
      'Rows without a value of 0 or more are not shown: 1.',
    ]);
  });

  describe('times whose data are not complete', () => {
    const fields = [
      { name: 'month', columnType: 'DATE' },
      { name: 'stars', columnType: 'BIGINT' },
    ];
    const rows = [0, 1, 2, 3, 1].map((stars, index) => ({ month: `2026-0${index + 1}-01`, stars }));
    const source = (type: string, starts: string | null, ends: string | null, share: number | null) => ({
      ...{ type, starts, ends, share },
      subject: null as string | null,
    });
    const lost = source('WatchEvent', '2026-03-10T00:00:00Z', '2026-04-01T00:00:00Z', 0.05);
    const chart = { title: 'T', x: 'month', y: ['stars'] } as const;
    const shades = (sources: readonly ReturnType<typeof source>[]) => {
      const drawing = drawChart({ chartName: 'LineChart', ...chart }, fields, rows, LOOK, { sources });
      const [line] = seriesOf(withoutFunctions(drawing.option));
      const { data = [] } = (line?.markArea ?? {}) as { data?: readonly { readonly xAxis: number }[][] };
      expect(drawing.notes).to.deep.equal(data.length > 0 ? ['Some of the data of the shaded times are missing.'] : []);
      return data.map((ends) => ends.map(({ xAxis }) => new Date(xAxis).toISOString().slice(0, 16)));
    };

    it('are shaded around their points', () => {
      expect(shades([])).to.deep.equal([]);
      expect(shades([lost])).to.deep.equal([['2026-02-15T00:00', '2026-03-16T12:00']]);
      const open = source('WatchEvent', '2026-05-20T00:00:00Z', null, 0);
      const early = source('WatchEvent', null, '2026-01-02T00:00:00Z', 0);
      expect(shades([lost, open, early])).to.deep.equal([
        ['2026-01-01T00:00', '2026-01-16T12:00'],
        ['2026-02-15T00:00', '2026-03-16T12:00'],
        ['2026-04-16T00:00', '2026-05-01T00:00'],
      ]);
      const outside = source('WatchEvent', '2026-06-01T00:00:00Z', null, null);
      expect(shades([outside, source('WatchEvent', null, '2026-01-01T00:00:00Z', 0)])).to.deep.equal([]);
    });

    it('are not those that a complete source has for all', () => {
      const counted = source('WatchEvent', null, '2026-05-01T00:00:00Z', 1);
      const until = source('WatchEvent', null, '2026-03-10T00:00:00Z', 1);
      const exception = { ...source('WatchEvent', null, null, null), subject: 'owner/repo' };
      const shade = [['2026-02-15T00:00', '2026-03-16T12:00']];
      expect(shades([lost, counted])).to.deep.equal([]);
      expect(shades([lost, until])).to.deep.equal(shade);
      expect(shades([lost, counted, exception])).to.deep.equal(shade);
      expect(shades([{ ...lost, type: 'IssuesEvent' }, counted])).to.deep.equal(shade);
      expect(shades([counted, exception])).to.deep.equal([]);
    });

    it('are filled only by complete sources without a start', () => {
      const july = source('WatchEvent', '2026-07-01T00:00:00Z', '2026-08-01T00:00:00Z', 1);
      const unreadable = source('WatchEvent', null, 'x', 1);
      expect(shades([lost, july, unreadable])).to.deep.equal([['2026-02-15T00:00', '2026-03-16T12:00']]);
    });

    it('are all times of running totals after the first incomplete one', () => {
      const totals = rows.map(({ month }, index) => ({ month, stars: index }));
      for (const chartName of ['LineChart', 'BarChart'] as const) {
        const drawn = (starts: string) =>
          drawChart({ chartName, ...chart }, fields, totals, LOOK, { sources: [{ ...lost, starts }] });
        const [early] = seriesOf(withoutFunctions(drawn('2025-03-01T00:00:00Z').option));
        const [march] = seriesOf(withoutFunctions(drawn('2026-03-10T00:00:00Z').option));
        if (chartName === 'BarChart') {
          expect(
            [early, march].map(
              (line) => ((line?.data ?? []) as unknown[]).filter((bar) => typeof bar === 'object').length,
            ),
          ).to.deep.equal([5, 3]);
          continue;
        }
        const starts = [early, march].map(
          (line) => ((line?.markArea ?? { data: [] }) as { data: { xAxis: number }[][] }).data[0]?.[0],
        );
        expect(starts).to.deep.equal([{ xAxis: Date.UTC(2026, 0, 1) }, { xAxis: Date.UTC(2026, 1, 15) }]);
      }
    });

    it('include the days between the times of weeks', () => {
      const weeks = ['01', '08', '15'].map((day, index) => ({ month: `2026-03-${day}`, stars: 5 - 2 * (index % 2) }));
      const sources = [{ ...lost, starts: '2026-03-18T00:00:00Z', ends: '2026-03-20T00:00:00Z' }];
      const { option, notes } = drawChart({ chartName: 'BarChart', ...chart }, fields, weeks, LOOK, { sources });
      expect([((seriesOf(option)[0]?.data ?? []) as unknown[]).map((bar) => typeof bar), notes]).to.deep.equal([
        ['number', 'number', 'object'],
        ['Some of the data of the pale times are missing.'],
      ]);
    });

    it('are not known without all sources', () => {
      const { notes } = drawChart({ chartName: 'LineChart', ...chart }, fields, rows, LOOK, { sources: null });
      expect(notes).to.deep.equal(['It is not known for which times the data are complete.']);
    });

    describe('of an interval that has not ended', () => {
      const MONTHS = [
        { month: '2026-04-01', stars: 5, forks: 1 },
        { month: '2026-05-01', stars: 9, forks: 2 },
        { month: '2026-06-01', stars: 1, forks: 3 },
      ];
      const fields = [
        { name: 'month', columnType: 'DATE' },
        { name: 'stars', columnType: 'BIGINT' },
        { name: 'forks', columnType: 'BIGINT' },
      ];
      const draw = (chartName: 'LineChart' | 'BarChart', dataAsOf: string | null, y: readonly string[] = ['stars']) =>
        drawChart({ chartName, title: 'T', x: 'month', y }, fields, MONTHS, LOOK, { dataAsOf });

      it('are a separate part of the line, with the name of the line', () => {
        const { option, notes } = draw('LineChart', '2026-06-30T23:59:59Z');
        const series = seriesOf(withoutFunctions(option));
        expect(series.map(({ name, data, lineStyle }) => ({ name, data, lineStyle }))).to.deep.equal([
          {
            name: 'Stars',
            data: [
              [Date.UTC(2026, 3, 1), 5],
              [Date.UTC(2026, 4, 1), 9],
            ],
            lineStyle: { width: 2, type: 'solid' },
          },
          {
            name: 'Stars',
            data: [
              { value: [Date.UTC(2026, 4, 1), 9], symbol: 'none' },
              { value: [Date.UTC(2026, 5, 1), 1], symbol: 'emptyCircle' },
            ],
            lineStyle: { width: 2, type: 'dotted', opacity: 0.7 },
          },
        ]);
        expect(notes).to.deep.equal(['The data end within the last interval.']);
      });

      it('are once in the tooltip', () => {
        const { tooltip } = draw('LineChart', '2026-06-02T00:00:00Z', ['stars', 'forks']).option as {
          tooltip: { formatter: (points: readonly object[]) => string };
        };
        const at = { value: [Date.UTC(2026, 4, 1), 9], seriesName: 'Stars' };
        const points = [
          { ...at, seriesId: '0' },
          { ...at, seriesId: 'open 0' },
        ];
        expect(tooltip.formatter(points)).to.equal('May 2026\nStars: 9');
      });

      it('are a pale bar', () => {
        const { option, notes } = draw('BarChart', '2026-06-02T00:00:00Z');
        const [bars] = seriesOf(withoutFunctions(option));
        expect(bars?.data).to.deep.equal([5, 9, { value: 1, itemStyle: { opacity: 0.45 } }]);
        expect(notes).to.deep.equal(['The data end within the last interval.']);
      });

      it('do not exist after the end of the interval, without the time of the data, and in running totals', () => {
        const all = [
          draw('LineChart', '2026-07-01T00:00:00Z'),
          draw('LineChart', null),
          draw('BarChart', '2026-07-01T00:00:00Z'),
          draw('LineChart', '2026-06-02T00:00:00Z', ['forks']),
          draw('BarChart', '2026-06-02T00:00:00Z', ['forks']),
        ];
        expect(all.map(({ option, notes }) => [seriesOf(option).length, notes])).to.deep.equal([
          [1, []],
          [1, []],
          [1, []],
          [1, []],
          [1, []],
        ]);
      });

      it('end with the next quarter, if the times are quarters', () => {
        const quarters = ['2026-01-01', '2026-04-01', '2026-07-01'].map((month, index) => ({
          month,
          stars: 3 - index,
        }));
        const notesAt = (dataAsOf: string) =>
          drawChart({ chartName: 'LineChart', title: 'T', x: 'month', y: ['stars'] }, fields, quarters, LOOK, {
            dataAsOf,
          }).notes;
        expect([notesAt('2026-09-30T23:59:59Z'), notesAt('2026-10-01T00:00:00Z')]).to.deep.equal([
          ['The data end within the last interval.'],
          [],
        ]);
      });
    });

    it('have the format and the unit of each column', () => {
      const fields = [
        { name: 'month', columnType: 'DATE' },
        { name: 'share', columnType: 'DOUBLE', format: 'share' as const },
        { name: 'lead', columnType: 'DOUBLE', unit: 'hours' },
      ];
      const rows = [
        { month: '2026-01-01', share: 0.5, lead: 3 },
        { month: '2026-02-01', share: 0.25, lead: 4 },
      ];
      const { option, summary } = drawChart(
        { chartName: 'LineChart', title: 'T', x: 'month', y: ['share', 'lead'] },
        fields,
        rows,
        LOOK,
      );
      const { yAxis, tooltip } = option as {
        yAxis: { axisLabel: { formatter: (value: number) => string } };
        tooltip: { formatter: (points: readonly object[]) => string };
      };
      const value = [Date.UTC(2026, 0, 1), 0.5];
      expect(summary).to.equal(
        'Line chart. Share: 2 points, from 50% (Jan 2026) to 25% (Feb 2026); highest 50% (Jan 2026). ' +
          'Lead: 2 points, from 3 hours (Jan 2026) to 4 hours (Feb 2026); highest 4 hours (Feb 2026).',
      );
      expect([
        yAxis.axisLabel.formatter(3),
        tooltip.formatter([
          { seriesId: '0', seriesName: 'Share', value },
          { seriesId: '1', seriesName: 'Lead', value: [value[0], 3] },
        ]),
      ]).to.deep.equal(['3', 'Jan 2026\nShare: 50%\nLead: 3 hours']);
    });

    it('have pale bars', () => {
      const { option, notes } = drawChart({ chartName: 'BarChart', ...chart }, fields, rows, LOOK, { sources: [lost] });
      expect([seriesOf(option)[0]?.data, notes]).to.deep.equal([
        [0, 1, { value: 2, itemStyle: { opacity: 0.45 } }, 3, 1],
        ['Some of the data of the pale times are missing.'],
      ]);
    });
  });

  it('states that a pie shows only the shares of its rows, if the result has more', () => {
    const fields = [
      { name: 'kind', columnType: 'VARCHAR' },
      { name: 'n', columnType: 'INT' },
    ];
    const rows = [
      { kind: 'a', n: 3 },
      { kind: 'b', n: 1 },
    ];
    const chart = { chartName: 'PieChart', title: 'T', label: 'kind', value: 'n' } as const;
    const [whole, part] = [false, true].map((isPart) => drawChart(chart, fields, rows, LOOK, { isPart }));
    const note = 'Shares of the shown rows. The result has more rows.';
    expect([whole?.notes, part?.notes]).to.deep.equal([[], [note]]);
    expect([whole?.summary, part?.summary]).to.deep.equal([
      'Pie chart of N. a: 3 (75%), b: 1 (25%).',
      `Pie chart of N. ${note} a: 3 (75%), b: 1 (25%).`,
    ]);
  });

  it('adds the values of a country, and states every value that the map cannot show', () => {
    const fields = [
      { name: 'country', columnType: 'CHAR' },
      { name: 'n', columnType: 'INT' },
    ];
    const rows = ['DE', 'DEU', 'UNKNOWN', 'GF', 'ZZ'].map((country, index) => ({ country, n: 10 ** index }));
    const { option, notes } = drawChart(
      { chartName: 'MapChart', title: 'T', country: 'country', value: 'n' },
      fields,
      rows,
      LOOK,
    );
    const data = seriesOf(option)[0]?.data as { name: string; value?: number }[];
    expect(data.map(({ name, value }) => [name, value])).to.deep.equal([
      ['DE', 11],
      ['SG', undefined],
    ]);
    expect(notes).to.deep.equal([
      'Not on the map: UNKNOWN (100).',
      'Not on the map: French Guiana (1,000).',
      'Not on the map: ZZ (10,000).',
    ]);
  });

  it('shows hostile texts as one line of plain text', () => {
    const fields = [
      { name: 'name', columnType: 'VARCHAR' },
      { name: 'n', columnType: 'INT' },
    ];
    const rows = [{ name: HOSTILE, n: 1 }];
    const bars = drawChart({ chartName: 'BarChart', title: 'T', x: 'name', y: ['n'] }, fields, rows, LOOK).option as {
      tooltip: { renderMode: string; formatter: (hovered: unknown) => string };
      yAxis: { data: string[] };
    };
    expect(bars.tooltip.renderMode).to.equal('richText');
    expect(bars.tooltip.formatter([{ dataIndex: 0 }])).to.equal('<img src=x onerror=alert(1)>{\u200ba|b}\nN: 1');
    expect(bars.yAxis.data).to.deep.equal(['<img src=x onerror=alert(1)>{a|b}']);
  });

  it('writes wide numbers with all of their digits', () => {
    const fields = [
      { name: 'name', columnType: 'VARCHAR' },
      { name: 'n', columnType: 'BIGINT' },
    ];
    const rows = [{ name: 'x', n: '12345678901234567890' }];
    const { summary } = drawChart({ chartName: 'BarChart', title: 'T', x: 'name', y: ['n'] }, fields, rows, LOOK);
    expect(summary).to.equal('Bar chart with 1 bars. N: x 12,345,678,901,234,567,890.');
  });
});

describe('the points of a line', () => {
  const days = (values: readonly (readonly [number, number])[]): Point[] => values.map(([x, y]) => [x, y]);

  it('has a gap where a regular series has no row', () => {
    expect(
      interruptAtGaps(
        days([
          [1, 5],
          [2, 4],
          [3, 6],
          [4, 1],
          [8, 2],
          [9, 3],
        ]),
      )[4],
    ).to.deep.equal([7, null]);
  });

  it('has no gap in a running total or in an irregular series', () => {
    const total = days([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [8, 5],
    ]);
    const irregular = days([
      [1, 5],
      [2, 4],
      [7, 6],
      [9, 1],
      [30, 2],
    ]);
    expect([interruptAtGaps(total), interruptAtGaps(irregular)]).to.deep.equal([total, irregular]);
  });

  it('keeps the extreme values of a long line', () => {
    const points: Point[] = Array.from({ length: 20_000 }, (_, x) => [
      x,
      x === 7_777 ? 1_000 : x === 8_888 ? -1_000 : x % 10,
    ]);
    const sampled = samplePoints(points);
    expect(sampled.length).to.be.at.most(MAX_POINTS);
    expect(sampled.map(([, y]) => y)).to.include.members([1_000, -1_000]);
    expect(sampled).to.deep.equal([...sampled].sort(([a], [b]) => a - b));
  });
});

describe('the texts of charts', () => {
  it('divides skewed values into intervals with round limits', () => {
    const limits = valueIntervals([1, 5, 40, 816]).map(({ from, to }) => [from, to]);
    expect(limits).to.deep.equal([
      [1, 3],
      [4, 14],
      [15, 59],
      [60, 199],
      [200, 816],
    ]);
  });

  it('divides fractions into intervals that exclude the start of the next one', () => {
    expect(valueIntervals([0.5, 1.5])).to.deep.equal([
      { from: 0.5, to: 0.7, isClosed: false },
      { from: 0.7, to: 0.9, isClosed: false },
      { from: 0.9, to: 1, isClosed: false },
      { from: 1, to: 1.5, isClosed: true },
    ]);
  });

  it('has no number in two intervals of the legend of a map', () => {
    const fields = [
      { name: 'country', columnType: 'CHAR' },
      { name: 'n', columnType: 'DOUBLE' },
    ];
    const chart = { chartName: 'MapChart', title: 'T', country: 'country', value: 'n' } as const;
    const labelsOf = (values: readonly number[]) => {
      const rows = values.map((n, index) => ({ country: ['DE', 'SG'][index] ?? null, n }));
      const { visualMap } = drawChart(chart, fields, rows, LOOK).option as {
        visualMap: { pieces: { label: string }[] };
      };
      return visualMap.pieces.map(({ label }) => label);
    };
    expect([labelsOf([2, 12]), labelsOf([1, 60_000]), labelsOf([0.5, 1.5])]).to.deep.equal([
      ['2–3', '4–5', '6–7', '8–9', '10–12'],
      ['1–8', '9–79', '80–699', '700–6,999', '7,000–60K'],
      ['0.5–<0.7', '0.7–<0.9', '0.9–<1', '1–1.5'],
    ]);
    expect(labelsOf([10_000, 100_000])[0]).to.equal('10K–<30K');
  });

  it('shortens the owner of a repository before its name', () => {
    expect(shortLabel('some-long-owner/name', 12)).to.equal('some-l…/name');
    expect(shortLabel('a long text without slash', 10)).to.equal('a long te…');
  });

  it('does not let ECharts read markup', () => {
    expect(plainText('{a|b}')).to.not.match(/\{\w+\|/);
  });
});

import { expect } from 'chai';
import { problemsIn } from '../engine/fixtures.js';

const definition = (chart: string) => `name: loaves
summary: Loaves per day
columns:
  - { col: day, data_type: DATE, nullable: false, description: Day }
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
  - { col: loaves, data_type: BIGINT, nullable: false, description: Loaves }
  - { col: weight, data_type: DOUBLE, nullable: false, description: Weight }
chart: ${chart}
sql: SELECT l.day, l.kind, l.loaves, l.weight FROM loaves l
`;

/** Values of the key `chart`, with the problem that must be reported; without one, the chart is correct. */
const CHARTS: readonly (readonly [string, string?])[] = [
  ['{ chartName: LineChart, x: day, y: [loaves, weight] }'],
  ['{ chartName: LineChart, title: Loaves, x: day, y: [loaves], series: kind }'],
  ['{ chartName: Table, columns: [kind] }'],
  [
    '{ chartName: LineChrat, x: day, y: [loaves] }',
    '8:21 chart.chartName: invalid value (did you mean "LineChart"?) (got "LineChrat")',
  ],
  [
    '{ chartName: LineChart, x: dya, y: [loaves] }',
    '8:35 chart.x: "dya" is not a column of the endpoint (did you mean "day"?)',
  ],
  [
    '{ chartName: BarChart, x: kind, y: [price] }',
    '8:44 chart.y.0: "price" is not a column of the endpoint (expected one of day, kind, loaves, weight)',
  ],
  [
    '{ chartName: BarChart, x: day, y: [kind] }',
    '8:43 chart.y.0: the column "kind" has the wrong type (expected numbers, got VARCHAR)',
  ],
  [
    '{ chartName: BarChart, x: day, y: [loaves, weight], series: kind }',
    '8:42 chart.y: a chart with series has one column of numbers: each value of the series is one line or bar (expected a list of 1 column, got 2 columns)',
  ],
  ['{ chartName: PieChart, label: kind }', '8:1 chart: the key "value" is missing'],
  ['{ chartName: PieChart, lable: kind, value: loaves }', '8:31 chart.lable: unknown key (did you mean "label"?)'],
];

describe('the key chart of a definition', () => {
  for (const [chart, problem] of CHARTS) {
    it(`${problem === undefined ? 'accepts' : 'rejects'} ${chart}`, async () => {
      const found = await problemsIn({ 'one.yaml': definition(chart) });
      expect(found).to.deep.equal(problem === undefined ? [] : [`one.yaml:${problem}`]);
    });
  }
});

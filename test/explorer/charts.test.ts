import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { CHART_NAMES, type Chart } from '../../engine/charts/chart.js';
import { CHART_SCHEMA } from '../../engine/charts/chart-schema.js';
import { chooseChart } from '../../engine/charts/choose-chart.js';
import { validateChart } from '../../explorer/answers/validate-chart.js';
import type { ResultValue } from '../../explorer/questions/question.js';

type Row = Readonly<Record<string, ResultValue>>;

const isChart = new Ajv().compile(CHART_SCHEMA);

/** Results with the chart that must be chosen. A field has the form `name TYPE`. A row contains the cells in the order of the fields. */
const CHOICES: readonly [string, string[], ResultValue[][], Chart][] = [
  ['one number', ['c BIGINT'], [[5]], { title: 'Q', chartName: 'NumberCard', value: 'c' }],
  ['a wide number', ['c DECIMAL'], [['12345678901234567890']], { title: 'Q', chartName: 'NumberCard', value: 'c' }],
  ['one id', ['id BIGINT'], [[5]], { title: 'Q', chartName: 'NumberCard', value: 'id' }],
  [
    'one label and one number',
    ['language VARCHAR', 'stars BIGINT'],
    [['Go', 7]],
    { title: 'Q', chartName: 'NumberCard', value: 'stars', label: 'language' },
  ],
  ['one text', ['name VARCHAR'], [['x']], { title: 'Q', chartName: 'Table', columns: ['name'] }],
  ['no rows', ['c BIGINT'], [], { title: 'Q', chartName: 'Table', columns: ['c'] }],
  ['no columns', [], [], { title: 'Q', chartName: 'Table', columns: [] }],
  [
    'one person',
    ['login VARCHAR', 'prs BIGINT'],
    [['ada', 3]],
    { title: 'Q', chartName: 'PersonalCard', login: 'login' },
  ],
  [
    'one repository',
    ['repo_id BIGINT', 'repo_name VARCHAR', 'owner_login VARCHAR', 'stars INT'],
    [[1, 'amber/reed', 'amber', 3]],
    { title: 'Q', chartName: 'RepoCard', repo: 'repo_name' },
  ],
  [
    'months as text',
    ['date VARCHAR', 'stargazers DECIMAL'],
    [
      ['2024-01-01', 1],
      ['2024-02-01', 3],
    ],
    { title: 'Q', chartName: 'LineChart', x: 'date', y: ['stargazers'] },
  ],
  [
    'days with two numbers and a share',
    ['day DATE', 'stars BIGINT', 'forks BIGINT', 'share DECIMAL'],
    [
      ['2024-01-01', 1, 1, 0.25],
      ['2024-01-02', 3, 0, 0.75],
    ],
    { title: 'Q', chartName: 'LineChart', x: 'day', y: ['stars', 'forks'] },
  ],
  [
    'years as numbers',
    ['event_year INT', 'events BIGINT'],
    [
      [2023, 1],
      [2024, 3],
    ],
    { title: 'Q', chartName: 'LineChart', x: 'event_year', y: ['events'] },
  ],
  [
    'people with the time of their first contribution',
    ['login VARCHAR', 'issues INT', 'first_issue_opened_at DATETIME'],
    [
      ['ada', 3, '2024-01-02 00:00:00'],
      ['bob', 1, '2024-01-01 00:00:00'],
    ],
    { title: 'Q', chartName: 'BarChart', x: 'login', y: ['issues'] },
  ],
  [
    'several names per day',
    ['day DATE', 'language VARCHAR', 'stars BIGINT'],
    [
      ['2024-01-01', 'Go', 1],
      ['2024-01-01', 'C', 1],
      ['2024-01-02', 'Go', 3],
    ],
    { title: 'Q', chartName: 'LineChart', x: 'day', y: ['stars'], series: 'language' },
  ],
  [
    'countries',
    ['country_code CHAR', 'stargazers BIGINT', 'percentage DECIMAL'],
    [
      ['DE', 3, 0.75],
      ['UNKNOWN', 1, 0.25],
    ],
    { title: 'Q', chartName: 'MapChart', country: 'country_code', value: 'stargazers' },
  ],
  [
    'shares of few labels',
    ['org_name VARCHAR', 'stargazers BIGINT', 'percentage DECIMAL'],
    [
      ['acme', 3, 0.75],
      ['umbrella', 1, 0.25],
    ],
    { title: 'Q', chartName: 'PieChart', label: 'org_name', value: 'percentage' },
  ],
  [
    'shares that are not parts of one whole',
    ['repo_name VARCHAR', 'merged_share DOUBLE'],
    [
      ['a/b', 0.9],
      ['c/d', 0.8],
    ],
    { title: 'Q', chartName: 'BarChart', x: 'repo_name', y: ['merged_share'] },
  ],
  [
    'repositories with ids, ranks and stars',
    ['repo_id BIGINT', 'current_rank INT', 'repo_name VARCHAR', 'stars BIGINT'],
    [
      [1, 1, 'a/b', 9],
      [2, 2, 'c/d', 8],
    ],
    { title: 'Q', chartName: 'BarChart', x: 'repo_name', y: ['stars'] },
  ],
  [
    'hours of a day',
    ['hour INT', 'events BIGINT'],
    [
      [0, 9],
      [1, 8],
    ],
    { title: 'Q', chartName: 'BarChart', x: 'hour', y: ['events'] },
  ],
  [
    'labels that repeat',
    ['login VARCHAR', 'language VARCHAR', 'prs BIGINT'],
    [
      ['ada', 'Go', 9],
      ['ada', 'C', 8],
      ['bob', 'C', 8],
    ],
    { title: 'Q', chartName: 'Table', columns: ['login', 'language', 'prs'] },
  ],
  [
    'numbers of pairs of ids',
    ['repo_id BIGINT', 'user_id BIGINT', 'stars BIGINT'],
    [1, 2, 3].flatMap((repo) => [7, 8, 9].map((user) => [repo, user, repo + user])),
    { title: 'Q', chartName: 'Table', columns: ['repo_id', 'user_id', 'stars'] },
  ],
  [
    'numbers of most pairs of two labels',
    ['weekday VARCHAR', 'shift VARCHAR', 'stars BIGINT'],
    [
      ['Monday', 'early', 3],
      ['Monday', 'late', 4],
      ['Friday', 'early', 0],
      ['Sunday', 'night', 1],
      ['Sunday', 'early', 1],
    ],
    { title: 'Q', chartName: 'HeatMap', column: 'shift', row: 'weekday', value: 'stars' },
  ],
  [
    'numbers of few pairs of two labels',
    ['weekday VARCHAR', 'shift VARCHAR', 'stars BIGINT'],
    [
      ['Monday', 'early', 3],
      ['Friday', 'late', 4],
      ['Sunday', 'night', 0],
      ['Sunday', 'early', 0],
    ],
    { title: 'Q', chartName: 'Table', columns: ['weekday', 'shift', 'stars'] },
  ],
  ['text without numbers', ['name VARCHAR'], [['a'], ['b']], { title: 'Q', chartName: 'Table', columns: ['name'] }],
];

describe('the choice of a chart', () => {
  for (const [name, columns, cells, expected] of CHOICES) {
    it(`of ${name} is ${expected.chartName}`, () => {
      const { fields, rows } = resultOf(columns, cells);
      expect(chooseChart('Q', fields, rows)).to.deep.equal(expected);
    });
  }

  it('covers every kind of chart', () => {
    expect(new Set(CHOICES.map(([, , , { chartName }]) => chartName))).to.deep.equal(new Set(CHART_NAMES));
  });

  it('has a title of one line and of limited length', () => {
    const titleOf = (title: string) => chooseChart(title, [], []).title;
    expect(titleOf('  two\n lines\u202e ')).to.equal('two lines');
    expect(titleOf(' \n')).to.equal('Result');
    expect([...titleOf('😀'.repeat(300))]).to.deep.equal([...'😀'.repeat(199), '…']);
  });

  it('is valid for every result and every title', () => {
    fc.assert(
      fc.property(RESULTS, fc.string({ unit: 'binary', maxLength: 300 }), ({ fields, rows }, title) => {
        const chart = chooseChart(title, fields, rows);
        expect(validateChart(structuredClone(chart), fields, rows)).to.deep.equal({ chart });
        expect(isChart(chart), JSON.stringify(isChart.errors)).to.equal(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the validation of a chart', () => {
  const { fields, rows } = resultOf(
    ['day DATE', 'country_code CHAR', 'login VARCHAR', 'repo_name VARCHAR', 'stars BIGINT', 'change INT'],
    [
      ['2024-01-01', 'DE', 'ada', 'a/b', 5, -1],
      ['2024-01-02', 'US', 'bob', 'c/d', 7, 2],
    ],
  );
  const known = 'the result has the columns "day", "country_code", "login", "repo_name", "stars", "change"';

  const accepted: readonly Chart[] = [
    { title: 'T', chartName: 'Table', columns: ['login', 'stars'] },
    { title: 'T', chartName: 'BarChart', x: 'login', y: ['stars', 'change'] },
    { title: 'T', chartName: 'LineChart', x: 'day', y: ['stars'] },
    { title: 'T', chartName: 'PieChart', label: 'repo_name', value: 'stars' },
    { title: 'T', chartName: 'MapChart', country: 'country_code', value: 'stars' },
  ];
  for (const chart of accepted) {
    it(`accepts a ${chart.chartName}`, () => {
      expect(validateChart(chart, fields, rows)).to.deep.equal({ chart });
    });
  }

  const cards: readonly Chart[] = [
    { title: 'T', chartName: 'NumberCard', value: 'stars' },
    { title: 'T', chartName: 'NumberCard', value: 'stars', label: 'login' },
    { title: 'T', chartName: 'PersonalCard', login: 'login' },
    { title: 'T', chartName: 'RepoCard', repo: 'repo_name' },
  ];
  for (const chart of cards) {
    it(`accepts ${JSON.stringify(chart)} only for one row`, () => {
      expect(validateChart(chart, fields, rows.slice(0, 1))).to.deep.equal({ chart });
      const error = `${chart.chartName} shows one row; the result has 2 rows.`;
      expect(validateChart(chart, fields, rows)).to.deep.equal({ error });
    });
  }

  const rejected: readonly [unknown, string][] = [
    [null, 'The chart must be an object, got "null".'],
    [undefined, 'The chart must be an object, got nothing.'],
    ['BarChart', 'The chart must be an object, got "BarChart".'],
    [[], 'The chart must be an object, got a list.'],
    [{}, `chart.chartName must be one of ${CHART_NAMES.join(', ')}, got nothing.`],
    [
      { chartName: 'BarChrat' },
      `chart.chartName must be one of ${CHART_NAMES.join(', ')}, got "BarChrat" (did you mean "BarChart"?).`,
    ],
    [{ chartName: ['Table'] }, `chart.chartName must be one of ${CHART_NAMES.join(', ')}, got a list.`],
    [{ chartName: 'BarChart', title: 'T', x: 'login' }, 'BarChart needs the option y.'],
    [{ chartName: 'NumberCard', title: 'T' }, 'NumberCard needs the option value.'],
    [
      { chartName: 'PieChart', title: 'T', label: 'login', value: 'stars', onClick: 'alert(1)' },
      'PieChart has no option "onClick"; it has chartName, title, label, value.',
    ],
    [{ chartName: 'BarChart', title: 'T', x: 'login', y: 'stars' }, 'chart.y must be a list, got "stars".'],
    [{ chartName: 'BarChart', title: 'T', x: 'login', y: [{ a: 1 }] }, 'chart.y.0 must be text, got an object.'],
    [{ chartName: 'Table', title: 7, columns: ['day'] }, 'chart.title must be text, got "7".'],
    [{ chartName: 'Table', title: ' ', columns: ['day'] }, 'chart.title must have 1 to 200 characters.'],
    [{ chartName: 'Table', title: 'x'.repeat(201), columns: ['day'] }, 'chart.title must have 1 to 200 characters.'],
    [
      { chartName: 'Table', title: 'a\nb', columns: ['day'] },
      'chart.title must be one line without control characters.',
    ],
    [{ chartName: 'Table', title: 'T', columns: [] }, 'chart.columns must name 1 to 6 columns, got 0.'],
    [
      { chartName: 'BarChart', title: 'T', x: 'login', y: new Array(11).fill('stars') },
      'chart.y must name 1 to 10 columns, got 11.',
    ],
    [{ chartName: 'BarChart', title: 'T', x: 'login', y: ['stars', 'stars'] }, 'chart.y names a column twice.'],
    [
      { chartName: 'BarChart', title: 'T', x: 'login', y: ['star'] },
      `chart.y names the column "star", which the result does not have (did you mean "stars"?); ${known}.`,
    ],
    [
      { chartName: 'Table', title: 'T', columns: ['__proto__'] },
      `chart.columns names the column "__proto__", which the result does not have; ${known}.`,
    ],
    [
      { chartName: 'LineChart', title: 'T', x: 'login', y: ['stars'] },
      `chart.x names the column "login", which does not contain dates, times or numbers; ${known}.`,
    ],
    [
      { chartName: 'LineChart', title: 'T', x: 'day', y: ['login'] },
      `chart.y names the column "login", which does not contain numbers; ${known}.`,
    ],
    [
      { chartName: 'MapChart', title: 'T', country: 'login', value: 'stars' },
      `chart.country names the column "login", which does not contain country codes of ISO 3166-1; ${known}.`,
    ],
    [
      { chartName: 'PersonalCard', title: 'T', login: 'repo_name' },
      `chart.login names the column "repo_name", which does not contain a login; ${known}.`,
    ],
    [
      { chartName: 'RepoCard', title: 'T', repo: 'login' },
      `chart.repo names the column "login", which does not contain a repository as owner/name; ${known}.`,
    ],
    [
      { chartName: 'PieChart', title: 'T', label: 'login', value: 'change' },
      'chart.value names the column "change", which has negative numbers.',
    ],
  ];
  for (const [chart, error] of rejected) {
    it(`rejects ${(JSON.stringify(chart) ?? 'undefined').slice(0, 80)}`, () => {
      expect(validateChart(chart, fields, rows)).to.deep.equal({ error });
    });
  }

  it('never throws, and writes short messages, for any value', () => {
    fc.assert(
      fc.property(RESULTS, fc.oneof(fc.anything(), HOSTILE_CHARTS), (result, value) => {
        const outcome = validateChart(value, result.fields, result.rows);
        if ('error' in outcome) expect(outcome.error.length).to.be.lessThan(6_000);
        else expect(isChart(outcome.chart)).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

function resultOf(columns: readonly string[], cells: readonly (readonly ResultValue[])[]) {
  const fields = columns.map((column) => {
    const [name = '', columnType = ''] = column.split(' ');
    return { name, columnType };
  });
  const rows: Row[] = cells.map((row) =>
    Object.fromEntries(fields.map(({ name }, index) => [name, row[index] ?? null] as const)),
  );
  return { fields, rows };
}

const NAME = fc.oneof(
  fc.constantFrom(
    'login',
    'repo_name',
    'day',
    'event_year',
    'country_code',
    'percentage',
    'stars',
    'id',
    'rank',
    'hour',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', ' ', 'a"b', "it's", 'x'.repeat(500)),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const TYPE = fc.constantFrom(
  'BIGINT',
  'INT',
  'DECIMAL',
  'DOUBLE',
  'VARCHAR',
  'CHAR',
  'DATE',
  'DATETIME',
  'TEXT',
  'JSON',
);
const VALUE = fc.oneof(
  fc.constantFrom<ResultValue>(
    null,
    0,
    1,
    0.5,
    -1,
    100,
    2024,
    '9007199254740993',
    '2024-01-01',
    '2024',
    'DE',
    'UNKNOWN',
  ),
  fc.constantFrom<ResultValue>('ada', 'a/b', '', 'x\ny'),
  fc.double({ noNaN: true }),
);
const RESULTS = fc.uniqueArray(fc.tuple(NAME, TYPE), { maxLength: 6, selector: ([name]) => name }).chain((columns) => {
  const fields = columns.map(([name, columnType]) => ({ name, columnType }));
  const row = fc
    .tuple(...fields.map(() => VALUE))
    .map((cells): Row => Object.fromEntries(fields.map(({ name }, index) => [name, cells[index] ?? null] as const)));
  return fc.array(row, { maxLength: 12 }).map((rows) => ({ fields, rows }));
});
const HOSTILE_CHARTS = fc.record(
  {
    chartName: fc.constantFrom<unknown>(...CHART_NAMES, 'Chart', null),
    title: fc.oneof(fc.string(), fc.constant('x'.repeat(100_000))),
    ...Object.fromEntries(
      ['columns', 'y'].map((option) => [option, fc.oneof(fc.array(NAME, { maxLength: 12 }), NAME)] as const),
    ),
    ...Object.fromEntries(
      ['x', 'value', 'label', 'country', 'login', 'repo'].map(
        (option) => [option, fc.oneof(NAME, fc.anything())] as const,
      ),
    ),
  },
  { requiredKeys: ['chartName', 'title'] },
);

import { expect } from 'chai';
import { findPage } from '../../console/pages/match-path.js';
import { formatProblem } from '../../engine/index.js';
import { loadPages, PAGE, problemsOf } from './page-folder.js';

/** Replaces parts of the valid page. Each part must occur in the page. */
function edit(...edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The page does not contain ${from}`);
    return text.replace(from, to);
  }, PAGE);
}

/** Pages with mistakes, and the exact problems that must be reported. */
const MISTAKES: Readonly<Record<string, readonly [page: string, ...problems: string[]]>> = {
  'an unknown key': [
    edit(['summary:', 'sumary:']),
    'pages/oven.yaml:4:1 sumary: unknown key (did you mean "summary"?)',
  ],
  'an unknown key of a block': [
    edit(['    width: half', '    widht: half']),
    'pages/oven.yaml:13:5 blocks.1.widht: unknown key (did you mean "width"?)',
  ],
  'a missing key': [edit(['title: Oven {oven}\n', '']), 'pages/oven.yaml:1:1 the key "title" is missing'],
  'a value of the wrong type': [
    edit(['rows: 5', 'rows: five']),
    'pages/oven.yaml:16:11 blocks.2.rows: invalid value (expected an integer, got "five")',
  ],
  'a value outside a list': [
    edit(['width: half', 'width: hlaf']),
    'pages/oven.yaml:13:12 blocks.1.width: invalid value (did you mean "half"?) (got "hlaf")',
  ],
  'a path outside of /p/': [
    edit(['path: /p/ovens', 'path: /ovens']),
    'pages/oven.yaml:2:7 path: invalid value (expected a path such as /p/ovens/{oven}, got "/ovens/{oven}")',
  ],
  'an unknown definition': [
    edit(['endpoint: sales', 'endpoint: sale']),
    'pages/oven.yaml:10:15 blocks.1.endpoint: no definition has the name "sale" (did you mean "sales"?)',
  ],
  'a broken definition': [
    edit(['endpoint: sales', 'endpoint: broken-sales']),
    'pages/oven.yaml:10:15 blocks.1.endpoint: the definition "broken-sales" is broken: correct endpoints/broken.yaml',
  ],
  'an unknown parameter of a definition': [
    edit(["per: '{per}' }", "per: '{per}', form: '2026-01-01' }"]),
    'pages/oven.yaml:11:45 blocks.1.params.form: sales has no parameter "form" (did you mean "from"?)',
  ],
  'a parameter unlike every parameter of a definition': [
    edit(["per: '{per}' }", "per: '{per}', zzzzzz: 1 }"]),
    'pages/oven.yaml:11:45 blocks.1.params.zzzzzz: sales has no parameter "zzzzzz" (expected one of oven, per, from)',
  ],
  'a missing parameter of a definition': [
    edit(["params: { oven: '{oven}', per: '{per}' }", "params: { per: '{per}' }"]),
    'pages/oven.yaml:11:5 blocks.1.params: sales needs a value for its required parameter "oven"',
  ],
  'a block without any of the required parameters': [
    edit(["    params: { ovens: ['oven-{oven}'] }\n", '']),
    'pages/oven.yaml:14:5 blocks.2.endpoint: bakers needs a value for its required parameter "ovens"',
  ],
  'a value that the definition rejects': [
    edit(["per: '{per}' }", "per: '{per}', from: yesterday }"]),
    'pages/oven.yaml:11:51 blocks.1.params.from: invalid value for this parameter (expected a date YYYY-MM-DD from 1000-01-01 to 9999-12-31, got "yesterday")',
  ],
  'a choice that the definition rejects': [
    edit(['enum: [day, week]', 'enum: [day, week, month]']),
    'pages/oven.yaml:11:37 blocks.1.params.per: the definition rejects a value that {per} can have (expected one of day, week, got "month")',
  ],
  'a parameter of another type': [
    edit(['type: integer, minimum: 1', 'type: string']),
    'pages/oven.yaml:11:22 blocks.1.params.oven: the parameter {oven} of the page has another type (expected integer, got string)',
  ],
  'a text in which a number is needed': [
    edit(["oven: '{oven}', per", "oven: '0{oven}', per"]),
    'pages/oven.yaml:11:22 blocks.1.params.oven: a text with {parameters} does not fit the type of this parameter (expected integer)',
  ],
  'a parameter that can be absent': [
    edit(
      ["ovens: ['oven-{oven}']", "ovens: '{ovens}'"],
      [
        'blocks:',
        '  ovens: { in: query, type: array, items: { type: string }, maxItems: 3, description: Ovens }\nblocks:',
      ],
    ),
    'pages/oven.yaml:16:23 blocks.2.params.ovens: {ovens} can be absent, but the definition requires this parameter: add a default or "required: true"',
  ],
  'an undeclared parameter of the page': [
    edit(['title: Oven {oven}', 'title: Oven {ovn}']),
    'pages/oven.yaml:3:13 title: {ovn} is not a parameter of this page (did you mean "oven"?)',
  ],
  'a brace without a parameter': [
    edit(['**{oven}**', '**{oven}** {']),
    'pages/oven.yaml:9:35 blocks.0.text: this brace is not part of a {parameter}',
  ],
  'an unused parameter of the page': [
    edit([", per: '{per}' }", ' }']),
    'pages/oven.yaml:7:3 params.per: the page does not use this parameter: write {per} in a block, or remove the parameter',
  ],
  'a parameter that is missing in the path': [
    edit(['path: /p/ovens/{oven}', 'path: /p/ovens']),
    'pages/oven.yaml:6:15 params.oven.in: the path does not contain {oven} (got /p/ovens)',
  ],
  'a default outside the bounds': [
    edit(['default: day', 'default: month']),
    'pages/oven.yaml:7:49 params.per.default: invalid value for this parameter (expected one of day, week, got "month")',
  ],
  'choices from a query': [
    edit(['enum: [day, week], default: day', 'enum: { sql: SELECT 1 }']),
    'pages/oven.yaml:7:27 params.per.enum: invalid value (expected a list, got a mapping)',
  ],
  'an unknown column of a chart': [
    edit(['y: [loaves]', 'y: [loafs]']),
    'pages/oven.yaml:12:48 blocks.1.chart.y.0: "loafs" is not a column of the endpoint (did you mean "loaves"?)',
  ],
  'a column of the wrong type': [
    edit(['y: [loaves]', 'y: [kind]']),
    'pages/oven.yaml:12:48 blocks.1.chart.y.0: the column "kind" has the wrong type (expected numbers, got VARCHAR)',
  ],
  'a column twice': [
    edit(['y: [loaves]', 'y: [loaves, revenue, loaves]']),
    'pages/oven.yaml:12:65 blocks.1.chart.y.2: the chart already shows the column "loaves"',
  ],
  'series of several columns': [
    edit(['y: [loaves]', 'y: [loaves, revenue], series: kind']),
    'pages/oven.yaml:12:47 blocks.1.chart.y: a chart with series has one column of numbers: each value of the series is one line or bar (expected a list of 1 column, got 2 columns)',
  ],
  'an unknown option of a chart': [
    edit(['y: [loaves]', 'y: [loaves], valu: loaves']),
    'pages/oven.yaml:12:57 blocks.1.chart.valu: unknown key (expected one of title, series)',
  ],
  'an unknown chart': [
    edit(['LineChart', 'Linechart']),
    'pages/oven.yaml:12:25 blocks.1.chart.chartName: invalid value (did you mean "LineChart"?) (got "Linechart")',
  ],
  'a chart without an endpoint': [
    edit(['  - text: The', '  - rows: 3\n    text: The']),
    'pages/oven.yaml:9:5 blocks.0.rows: rows requires the key "endpoint"',
  ],
  'an empty block': [
    edit(['  - text: The sales of **{oven}**.', '  - title: Sales']),
    'pages/oven.yaml:9:5 blocks.0: a block needs the key "endpoint" or "text"',
  ],
};

describe('the check of pages', () => {
  it('accepts a valid page', async () => {
    expect(await problemsOf(PAGE)).to.deep.equal([]);
  });

  for (const [mistake, [page, ...problems]] of Object.entries(MISTAKES)) {
    it(`reports ${mistake}`, async () => {
      expect(await problemsOf(page)).to.deep.equal(problems);
    });
  }

  it('reports all mistakes of a page at once', async () => {
    const page = edit(
      ['summary:', 'sumary:'],
      ['endpoint: sales', 'endpoint: sale'],
      ['rows: 5', 'rows: 0\n    colour: red'],
      ['title: Oven {oven}', 'title: Oven {ovn}'],
    );
    expect(await problemsOf(page)).to.deep.equal([
      'pages/oven.yaml:3:13 title: {ovn} is not a parameter of this page (did you mean "oven"?)',
      'pages/oven.yaml:4:1 sumary: unknown key (did you mean "summary"?)',
      'pages/oven.yaml:10:15 blocks.1.endpoint: no definition has the name "sale" (did you mean "sales"?)',
      'pages/oven.yaml:16:11 blocks.2.rows: invalid value (expected 1 or more, got 0)',
      'pages/oven.yaml:17:5 blocks.2.colour: unknown key (expected one of title, text, chart, width)',
    ]);
  });

  it('reports files that are not pages', async () => {
    const { problems, broken } = await loadPages({
      'pages/empty.yaml': '',
      'pages/list.yaml': '- a',
      'pages/tab.yaml': 'name: a\n\tpath: b',
    });
    expect(problems.map(formatProblem)).to.deep.equal([
      'pages/empty.yaml:1:1 the file is empty',
      'pages/list.yaml:1:1 the page must be a mapping (got a list)',
      'pages/tab.yaml:2:1 not YAML: tab characters must not be used in indentation: indent with spaces',
    ]);
    expect(broken).to.have.length(3);
  });

  it('reports pages with the same name or path: both of one folder, the later one of two folders', async () => {
    const one = { 'pages/a.yaml': PAGE, 'pages/b.yaml': PAGE.replace('/p/ovens/{oven}', '/p/stoves/{oven}') };
    const ofOne = await loadPages(one);
    expect(ofOne.pages).to.deep.equal([]);
    expect(ofOne.problems.map(formatProblem)).to.deep.equal([
      'pages/b.yaml:1:7 name: the name "oven" is already used by pages/a.yaml: choose another name',
    ]);
    const two = { 'pages/a.yaml': PAGE, 'own/b.yaml': PAGE.replace('name: oven', 'name: stove') };
    const ofTwo = await loadPages(two, ['pages', 'own']);
    expect(ofTwo.pages.map(({ file }) => file)).to.deep.equal(['pages/a.yaml']);
    expect(ofTwo.problems.map(formatProblem)).to.deep.equal([
      'own/b.yaml:2:7 path: /p/ovens/{oven} matches the same URLs as the path of pages/a.yaml: choose another path',
    ]);
  });

  it('shows a page with a fixed path instead of one with a parameter there, in any order of the pages', () => {
    const paths = ['/p/ovens/{oven}', '/p/ovens/new', '/p/{kind}/new'];
    for (const all of [paths, [...paths].reverse()]) {
      const find = (path: string) => findPage(all, (one) => one, path);
      expect(find('/p/ovens/new')).to.deep.equal({ found: '/p/ovens/new', values: {} });
      expect(find('/p/ovens/stone')).to.deep.equal({ found: '/p/ovens/{oven}', values: { oven: 'stone' } });
      expect(find('/p/mills/new')).to.deep.equal({ found: '/p/{kind}/new', values: { kind: 'mills' } });
    }
  });

  it('reports a folder that cannot be read', async () => {
    const { folders } = await loadPages({}, ['missing']);
    expect(folders.map(({ file, message }) => `${file} ${message.split(':')[0]}`)).to.deep.equal([
      'missing the directory cannot be read',
    ]);
  });
});

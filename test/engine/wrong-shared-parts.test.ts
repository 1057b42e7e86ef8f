import { join } from 'node:path';
import { expect } from 'chai';
import { loadEndpointFiles, loadEndpoints } from '../../engine/index.js';
import { inFolder, problemsIn } from './fixtures.js';

const SHARED = `params:
  oven: { in: path, type: string, description: Name of the oven }
  sort: { in: query, enum: [weight, kind], default: weight, description: Order }
columns:
  loaf:
    - { col: id, data_type: BIGINT, nullable: false, description: Number }
notices:
  cold-days:
    when: always
    sql: SELECT CONCAT({{ place }}, day) AS notice FROM cold_days WHERE oven = {{ oven }}
views:
  loaves_of_oven: |
    SELECT id, weight, kind
    FROM loaves
    WHERE oven = {{ oven }} AND kind = {{ kind }}
  order: '{% case sort %}{% when "weight" %}weight{% when "kind" %}kind{% endcase %}'
`;

const DEFINITION = `name: list-loaves
path: /v1/ovens/{oven}/loaves/
summary: Loaves of an oven
shared: [bakery.shared.yaml]
params:
  oven: { use: oven }
  sort: { use: sort }
columns:
  - { use: loaf }
notices:
  - { use: cold-days, with: { place: here } }
sql: |
  SELECT id
  FROM {% use loaves_of_oven kind: 'rye' %} l
  ORDER BY {% use order %}, id
`;

type Edit = readonly [string, string];

interface Mistake {
  readonly name: string;
  readonly shared?: readonly Edit[];
  readonly edits?: readonly Edit[];
  readonly problems: readonly string[];
}

const MISTAKES: readonly Mistake[] = [
  {
    name: 'parts without a file',
    edits: [['shared: [bakery.shared.yaml]\n', '']],
    problems: [
      'a.yaml:5:16 params.oven.use: unknown shared parameter "oven": add its file to "shared"',
      'a.yaml:6:16 params.sort.use: unknown shared parameter "sort": add its file to "shared"',
      'a.yaml:8:12 columns.0.use: unknown shared group of columns "loaf": add its file to "shared"',
      'a.yaml:10:12 notices.0.use: unknown shared notice "cold-days": add its file to "shared"',
      'a.yaml:13:8 sql: unknown shared view "loaves_of_oven": add its file to "shared"',
      'a.yaml:14:12 sql: unknown shared view "order": add its file to "shared"',
    ],
  },
  {
    name: 'a name that is not a shared file',
    edits: [['bakery.shared.yaml]', 'bakery.yaml, bakery.shared.yaml]']],
    problems: ['a.yaml:4:10 shared.0: invalid value (expected a file such as ../ovens.shared.yaml, got "bakery.yaml")'],
  },
  {
    name: 'only a name that is not a shared file',
    edits: [['bakery.shared.yaml]', 'bakery.yaml, gone.shared.yaml]']],
    problems: [
      'a.yaml:4:10 shared.0: invalid value (expected a file such as ../ovens.shared.yaml, got "bakery.yaml")',
      `gone.shared.yaml:1:1 the file cannot be read: ENOENT: no such file or directory, open 'gone.shared.yaml' (used at a.yaml:4:23)`,
    ],
  },
  {
    name: 'a shared file without a list',
    edits: [['[bakery.shared.yaml]', 'bakery.shared.yaml']],
    problems: ['a.yaml:4:9 shared: invalid value (expected a list, got "bakery.shared.yaml")'],
  },
  {
    name: 'a shared file that does not exist',
    edits: [['bakery.shared.yaml]', 'bakery.shared.yaml, gone.shared.yaml]']],
    problems: [
      `gone.shared.yaml:1:1 the file cannot be read: ENOENT: no such file or directory, open 'gone.shared.yaml' (used at a.yaml:4:30)`,
    ],
  },
  {
    name: 'a shared file that is not YAML',
    shared: [['  order: ', '  order ']],
    problems: [`bakery.shared.yaml:16:85 not YAML: expected ':' after a mapping key`],
  },
  {
    name: 'an unknown parameter',
    edits: [['{ use: oven }', '{ use: ovn }']],
    problems: ['a.yaml:6:16 params.oven.use: unknown shared parameter "ovn" (did you mean "oven"?)'],
  },
  {
    name: 'an unknown group of columns',
    edits: [['{ use: loaf }', '{ use: loav }']],
    problems: ['a.yaml:9:12 columns.0.use: unknown shared group of columns "loav" (did you mean "loaf"?)'],
  },
  {
    name: 'an unknown notice',
    edits: [['{ use: cold-days,', '{ use: cold-day,']],
    problems: ['a.yaml:11:12 notices.0.use: unknown shared notice "cold-day" (did you mean "cold-days"?)'],
  },
  {
    name: 'an unknown view',
    edits: [['{% use order %}', '{% use ordr %}']],
    problems: ['a.yaml:15:12 sql: unknown shared view "ordr" (did you mean "order"?)'],
  },
  {
    name: 'a name that is not text',
    edits: [['{ use: sort }', '{ use: 3 }']],
    problems: ['a.yaml:7:16 params.sort.use: invalid value (expected text, got 3)'],
  },
  {
    name: 'a value that overrides a shared one',
    edits: [['{ use: sort }', '{ use: sort, default: wieght }']],
    problems: [
      'a.yaml:7:31 params.sort.default: invalid value for this parameter (did you mean "weight"?) (expected one of weight, kind, got "wieght")',
    ],
  },
  {
    name: 'an unknown key next to a shared one',
    edits: [['{ use: sort }', '{ use: sort, defalt: weight }']],
    problems: [
      'a.yaml:7:22 params.sort.defalt: unknown key (expected one of use, type, format, required, minimum, maximum, minLength, maxLength, pattern, items, minItems, maxItems, notAfter, example)',
    ],
  },
  {
    name: 'an unknown key of the shared file',
    shared: [['columns:', 'colums:']],
    problems: [
      'bakery.shared.yaml:4:1 colums: unknown key (did you mean "columns"?)',
      'a.yaml:9:12 columns.0.use: unknown shared group of columns "loaf": add its file to "shared"',
    ],
  },
  {
    name: 'an unknown key of a shared parameter',
    shared: [['in: path, type', 'in: path, tpe']],
    problems: ['bakery.shared.yaml:2:21 params.oven.tpe: unknown key (did you mean "type"?)'],
  },
  {
    name: 'a wrong default of a shared parameter',
    shared: [['default: weight', 'default: wieght']],
    problems: [
      'bakery.shared.yaml:3:53 params.sort.default: invalid value for this parameter (did you mean "weight"?) (expected one of weight, kind, got "wieght", used at a.yaml:7:3)',
    ],
  },
  {
    name: 'a shared parameter that uses another',
    shared: [['in: path, type: string', 'use: sort, in: path, type: string']],
    problems: ['bakery.shared.yaml:2:11 params.oven.use: the key "use" is not allowed here'],
  },
  {
    name: 'a wrong shared column',
    shared: [['data_type: BIGINT', 'data_type: BIGNT']],
    problems: [
      'bakery.shared.yaml:6:29 columns.loaf.0.data_type: invalid value (did you mean "BIGINT"?) (got "BIGNT")',
    ],
  },
  {
    name: 'shared columns that are used twice',
    edits: [['  - { use: loaf }', '  - { use: loaf }\n  - { use: loaf }']],
    problems: ['bakery.shared.yaml:6:14 columns.loaf.0.col: the column "id" is declared twice (used at a.yaml:10:5)'],
  },
  {
    name: 'an unknown argument of a notice',
    edits: [['place: here', 'place: here, plac: there']],
    problems: ['a.yaml:11:44 notices.0.with.plac: unknown argument: the notice does not contain {{ plac }}'],
  },
  {
    name: 'a missing argument of a notice',
    edits: [[', with: { place: here }', '']],
    problems: [
      'bakery.shared.yaml:10:27 notices.cold-days.sql: place is not a parameter of this SQL (used at a.yaml:11:5)',
    ],
  },
  {
    name: 'a list as an argument',
    edits: [['place: here', 'place: [here]']],
    problems: [
      'a.yaml:11:38 notices.0.with.place: invalid argument (expected text or a number below 2^53, got a list)',
    ],
  },
  {
    name: 'arguments that are not a mapping',
    edits: [['{ place: here }', 'here']],
    problems: ['a.yaml:11:29 notices.0.with: invalid value (expected a mapping, got "here")'],
  },
  {
    name: 'an argument of a view without quotes',
    edits: [[`kind: 'rye' %}`, 'kind %}']],
    problems: [`a.yaml:14:8 sql: {% use %} takes a view and its arguments (expected {% use name argument: 'value' %})`],
  },
  {
    name: 'a tag without a view',
    edits: [['use order %}', 'use %}']],
    problems: [
      `a.yaml:15:12 sql: {% use %} takes a view and its arguments (expected {% use name argument: 'value' %})`,
    ],
  },
  {
    name: 'an unknown argument of a view',
    edits: [['use order %}', 'use order by: 1 %}']],
    problems: ['a.yaml:15:12 sql: unknown argument: the view does not contain {{ by }}'],
  },
  {
    name: 'an argument of a view that occurs twice',
    edits: [["kind: 'rye'", "kind: 'rye', kind: 'oat'"]],
    problems: [`a.yaml:14:8 sql: {% use %} takes a view and its arguments (expected {% use name argument: 'value' %})`],
  },
  {
    name: 'an argument of a notice that is not an exact number',
    edits: [['{ place: here }', '{ place: 9007199254740993 }']],
    problems: [
      'a.yaml:11:38 notices.0.with.place: invalid argument (expected text or a number below 2^53, got 9007199254740992)',
    ],
  },
  {
    name: 'a missing argument of a view',
    edits: [[` kind: 'rye'`, '']],
    problems: [
      'bakery.shared.yaml:15:43 views.loaves_of_oven: kind is not a parameter of this SQL (used at a.yaml:14:8)',
    ],
  },
  {
    name: 'a view that uses itself',
    shared: [['kind = {{ kind }}', `kind = {{ kind }} AND id IN {% use loaves_of_oven kind: 'a' %}`]],
    problems: [
      'bakery.shared.yaml:15:61 views.loaves_of_oven: the view "loaves_of_oven" uses itself (used at a.yaml:14:8)',
    ],
  },
  {
    name: 'wrong SQL of a view',
    shared: [['FROM loaves', 'FORM loaves']],
    problems: [
      'bakery.shared.yaml:14:10 views.loaves_of_oven: not SQL: expected ) here, got "loaves" (used at a.yaml:14:8)',
    ],
  },
  {
    name: 'a view that needs a parameter',
    edits: [['  sort: { use: sort }\n', '']],
    problems: ['bakery.shared.yaml:16:19 views.order: sort is not a parameter of this SQL (used at a.yaml:14:12)'],
  },
  {
    name: 'a path without a shared parameter',
    edits: [['/{oven}', '']],
    problems: [
      'bakery.shared.yaml:2:15 params.oven.in: the path does not contain {oven} (got /v1/ovens/loaves/, used at a.yaml:6:3)',
    ],
  },
  {
    name: 'a case of a view that lacks a branch',
    shared: [['{% when "kind" %}kind', '']],
    problems: [
      'bakery.shared.yaml:16:11 views.order: {% case sort %} has no branch for "kind": add {% when %} or {% else %} (used at a.yaml:15:12)',
    ],
  },
  {
    name: 'parts that no definition uses',
    shared: [['views:', '  warm-days: { when: always, sql: SELECT 1 AS notice }\nviews:\n  oven: SELECT 1']],
    problems: [
      'bakery.shared.yaml:11:3 notices.warm-days: no definition uses this part',
      'bakery.shared.yaml:13:3 views.oven: no definition uses this part',
    ],
  },
  {
    name: 'a view that is not text',
    shared: [
      [`  order: '`, `  order: ['`],
      [`endcase %}'`, `endcase %}']`],
    ],
    problems: ['bakery.shared.yaml:16:10 views.order: invalid value (expected text, got a list)'],
  },
  {
    name: 'a wrong key that overrides the key of a notice',
    edits: [['use: cold-days', 'use: cold-days, when: never']],
    problems: ['a.yaml:11:29 notices.0.when: invalid value (expected one of always, empty, got "never")'],
  },
  {
    name: 'a wrong shared notice',
    shared: [['when: always', 'when: never']],
    problems: [
      'bakery.shared.yaml:9:11 notices.cold-days.when: invalid value (expected one of always, empty, got "never")',
    ],
  },
];

describe('invalid shared parts', () => {
  for (const { name, shared = [], edits = [], problems } of MISTAKES) {
    it(`produce a problem at its line: ${name}`, async () => {
      const files = { 'a.yaml': applyEdits(DEFINITION, edits), 'bakery.shared.yaml': applyEdits(SHARED, shared) };
      expect(await problemsIn(files)).to.deep.equal(problems);
    });
  }

  it('produce one problem for all definitions that use them', async () => {
    const other = applyEdits(DEFINITION, [
      ['list-loaves', 'list-others'],
      ['/loaves/', '/others/'],
    ]);
    const files = {
      'a.yaml': DEFINITION,
      'b.yaml': other,
      'bakery.shared.yaml': applyEdits(SHARED, [['FROM loaves', 'FORM loaves']]),
    };
    expect(await problemsIn(files)).to.deep.equal([
      'bakery.shared.yaml:14:10 views.loaves_of_oven: not SQL: expected ) here, got "loaves" (used at a.yaml:14:8)',
    ]);
    await inFolder(files, async (folder) => {
      const { endpoints, broken } = await loadEndpoints(folder);
      expect(endpoints).to.deep.equal([]);
      expect(broken.map(({ name, problems }) => [name, problems.map(({ usedAt }) => usedAt)])).to.deep.equal([
        ['list-loaves', [join(folder, 'a.yaml:14:8')]],
        ['list-others', [join(folder, 'b.yaml:14:8')]],
      ]);
    });
  });

  it('do not break definitions that do not use them', async () => {
    const plain =
      'name: plain\nsummary: Plain\ncolumns: [{ use: loaf }]\nshared: [bakery.shared.yaml]\nsql: SELECT id FROM loaves\n';
    const files = { 'a.yaml': DEFINITION, 'b.yaml': plain, 'bakery.shared.yaml': SHARED.replace('weight{', 'FROM{') };
    await inFolder(files, async (folder) => {
      const { endpoints, broken } = await loadEndpoints(folder);
      expect(endpoints.map(({ definition }) => definition.name)).to.deep.equal(['plain']);
      expect(broken.map(({ name }) => name)).to.deep.equal(['list-loaves']);
    });
  });

  it('are not reported as unused while a definition is invalid, or if not all definitions are loaded', async () => {
    const shared = `${SHARED}  idle: id\n`;
    expect(await problemsIn({ 'a.yaml': DEFINITION, 'b.yaml': 'name: [', 'bakery.shared.yaml': shared })).to.deep.equal(
      ['b.yaml:1:8 not YAML: unexpected end of the stream within a flow collection: close the brace or bracket'],
    );
    await inFolder({ 'a.yaml': DEFINITION, 'bakery.shared.yaml': shared }, async (folder) => {
      const files = [join(folder, 'a.yaml'), join(folder, 'bakery.shared.yaml')];
      expect((await loadEndpointFiles(files)).problems).to.deep.equal([]);
    });
  });

  it('are rejected if views are nested too deeply', async () => {
    const nested = Array.from({ length: 3_000 }, (_, n) => `  v${n + 1}: '{% use v${n} %}'\n`).join('');
    const definition = DEFINITION.replace("{% use loaves_of_oven kind: 'rye' %}", '{% use v3000 %}');
    const files = { 'bakery.shared.yaml': `${SHARED}  v0: SELECT id FROM loaves\n${nested}`, 'a.yaml': definition };
    const problems = await problemsIn(files);
    expect(problems.filter((problem) => problem.includes('nested'))).to.deep.equal([
      'bakery.shared.yaml:2986:11 views.v2969: the views are nested too deeply (expected at most 32 levels, used at a.yaml:14:8)',
    ]);
  });

  it('are rejected if views that use views grow beyond the maximum length', async () => {
    const doubled = Array.from(
      { length: 40 },
      (_, n) => `  v${n + 1}: SELECT id FROM {% use v${n} %} a, {% use v${n} %} b\n`,
    );
    const shared = `${SHARED}  v0: SELECT id FROM loaves\n${doubled.join('')}`;
    const definition = DEFINITION.replace("{% use loaves_of_oven kind: 'rye' %}", '{% use v20 %}');
    const problems = await problemsIn({ 'bakery.shared.yaml': shared, 'a.yaml': definition });
    expect(problems.filter((problem) => problem.includes('too long'))).to.deep.equal([
      'bakery.shared.yaml:19:38 views.v2: the SQL with its views is too long (expected at most 100000 characters, used at a.yaml:14:8)',
    ]);
  });

  it('have unique names', async () => {
    const definition = applyEdits(DEFINITION, [['.yaml]', '.yaml, other.shared.yaml]']]);
    const files = { 'a.yaml': definition, 'bakery.shared.yaml': SHARED, 'other.shared.yaml': 'views: { order: id }\n' };
    expect(await problemsIn(files)).to.deep.equal(['a.yaml:4:30 shared.1: views.order is also in bakery.shared.yaml']);
  });
});

function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the text to replace does not exist: ${from}`);
    return changed.replace(from, to);
  }, text);
}

import { join } from 'node:path';
import { expect } from 'chai';
import { lintEndpoint } from '../../../engine/authoring/index.js';
import { deduplicateWarnings, formatWarning, loadEndpoints } from '../../../engine/index.js';
import { inFolder } from '../fixtures.js';
import { BAKERY_TABLES } from './bakery-tables.js';

const DEFINITION = `name: heavy-loaves
summary: Heavy loaves
params:
  sort: { in: query, enum: [weight, kind], default: weight, description: Order }
columns:
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
  - { col: weight, data_type: DECIMAL, nullable: true, description: Kilograms }
sql: |
  SELECT kind, weight
  FROM loaves
  WHERE parent_id <> NULL
  ORDER BY {% case sort %}{% when "weight" %}weight{% when "kind" %}kind{% endcase %}
data_as_of: SELECT MAX(baked_at) FROM loaves
`;

/** Returns the warnings of all definitions, with file names instead of paths. */
async function warningsIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  return inFolder(files, async (folder) => {
    const { endpoints, problems } = await loadEndpoints(folder);
    expect(problems).to.deep.equal([]);
    const warnings = deduplicateWarnings(endpoints.flatMap((endpoint) => lintEndpoint(endpoint, BAKERY_TABLES)));
    return warnings.map((warning) => formatWarning(warning).replaceAll(join(folder, '/'), ''));
  });
}

const NULL_WARNING = 'a.yaml:11:9 sql: A comparison with NULL is never true. Write IS NOT NULL [compared-with-null]';
const order = (place: string) =>
  `a.yaml:${place} sql: Different rows can be equal in ORDER BY: equal requests can return rows in another order, and other ` +
  'rows if limits.rows truncates them. Add id at the end of ORDER BY [unstable-pages]';

describe('warnings', () => {
  it('state the place, the reason and the fix once for each place of the template', async () => {
    expect(await warningsIn({ 'a.yaml': DEFINITION })).to.deep.equal([NULL_WARNING, order('12:46'), order('12:69')]);
  });

  it('advise SELECT DISTINCT to order by columns of the answer only', async () => {
    const advice = async (sql: string) => {
      const [head = ''] = DEFINITION.replace(/params:\n.*\n/, '').split('sql: ');
      const warnings = await warningsIn({ 'a.yaml': `${head}sql: ${sql}\n` });
      return warnings.filter((text) => text.includes('unstable-pages')).map((text) => text.replace(/^.* sql: /, ''));
    };
    const effect = 'equal requests can return rows in another order, and other rows if limits.rows truncates them. ';
    expect(await advice('SELECT DISTINCT kind, weight FROM loaves ORDER BY kind')).to.deep.equal([
      `Different rows can be equal in ORDER BY: ${effect}Add weight at the end of ORDER BY [unstable-pages]`,
    ]);
    expect(await advice('SELECT DISTINCT kind, weight FROM loaves ORDER BY kind, weight, day')).to.deep.equal([
      'ORDER BY of a SELECT DISTINCT uses an expression that is not a column of the answer. Equal rows become one row, ' +
        `which has several values of this expression: ${effect}` +
        'Order by columns of the answer, or write GROUP BY with MIN or MAX of the expression instead of DISTINCT [unstable-pages]',
    ]);
  });

  it('are silenced by the name of their rule', async () => {
    const silenced = `${DEFINITION}lint: { unstable-pages: The order has no meaning. }\n`;
    expect(await warningsIn({ 'a.yaml': silenced })).to.deep.equal([NULL_WARNING]);
  });

  it('name entries that silence nothing, except for the rule that depends on the data', async () => {
    const entries =
      '\n  full-scan: Few requests.\n  select-all-columns: Not used.\n  unstable-pages: Any order.\n  compared-with-null: Why not.';
    expect(await warningsIn({ 'a.yaml': `${DEFINITION}lint:${entries}\n` })).to.deep.equal([
      'a.yaml:16:3 lint.select-all-columns: The definition has no warning of this rule. Remove the entry [unused-lint]',
    ]);
  });

  it('are in the shared file for a shared view, with one place that uses it', async () => {
    const shared = 'views:\n  rye: |\n    SELECT id, kind, weight FROM loaves WHERE kind = 1\n';
    const one = DEFINITION.replace('FROM loaves\n  WHERE parent_id <> NULL', 'FROM {% use rye %} r').replace(
      '{% endcase %}',
      '{% endcase %}, id',
    );
    const files = {
      'a.yaml': one.replace('summary:', 'shared: [a.shared.yaml]\nsummary:'),
      'b.yaml': one.replace('summary:', 'shared: [a.shared.yaml]\nsummary:').replace('heavy-loaves', 'heavy-rye'),
      'a.shared.yaml': shared,
    };
    expect(await warningsIn(files)).to.deep.equal([
      "a.shared.yaml:3:47 views.rye: kind is text and 1 is a number: databases convert the text to a number, and 'abc' to 0 " +
        "or an error (used at a.yaml:11:8). Write '1' in quotes [text-compared-with-number]",
    ]);
  });

  it('are about the queries of notices, too', async () => {
    const notice = 'notices:\n  - { when: always, sql: SELECT kind AS notice FROM loaves HAVING COUNT(*) > 9 }\n';
    const clean = DEFINITION.replace('  WHERE parent_id <> NULL\n', '').replace('{% endcase %}', '{% endcase %}, id');
    expect(await warningsIn({ 'a.yaml': clean + notice })).to.deep.equal([
      'a.yaml:14:33 notices.0.sql: The aggregates make one row of all rows, and kind is the value of any one of them. Add GROUP BY kind, ' +
        'or write an aggregate such as MAX(kind), or ANY_VALUE(kind) if all values are equal [ungrouped-column]',
    ]);
  });

  it('name all columns that one GROUP BY does not determine, in one warning', async () => {
    const grouped = DEFINITION.replace('WHERE parent_id <> NULL', 'GROUP BY day').replace(
      /ORDER BY .*/,
      'ORDER BY day',
    );
    const unused = '  sort: { in: query, enum: [weight, kind], default: weight, description: Order }\n';
    expect(await warningsIn({ 'a.yaml': grouped.replace(`params:\n${unused}`, '') })).to.deep.equal([
      'a.yaml:7:10 sql: A group has several rows, and kind, weight are the values of any one of them. Add kind, weight to GROUP BY, ' +
        'or write an aggregate such as MAX(kind), or ANY_VALUE(kind) if all values are equal [ungrouped-column]',
    ]);
  });

  it('are absent for definitions whose answers depend on no table', async () => {
    const constant =
      'name: one\nsummary: One\ncolumns:\n  - { col: one, data_type: BIGINT, nullable: false, description: One }\nsql: SELECT 1 AS one\n';
    expect(await warningsIn({ 'a.yaml': constant })).to.deep.equal([]);
  });
});

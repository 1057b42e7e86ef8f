import type { DuckDBConnection } from '@duckdb/node-api';
import { appendRow } from '../../databases/duckdb/connection/append-row.js';
import type { Cell } from '../../engine/index.js';
import { readTabSeparated } from '../rules/data-files.js';
import type { Tables } from '../store/store.js';

/**
 * The organisation that a text of an account's profile names, as an expression of DuckDB: the one rule of the whole service.
 * Lower case, without a leading `@`, without what the text only ends in (punctuation, legal form, `.com`). The result is an
 * empty text where the text names no organisation. The connection needs `defineOrganizations` first.
 */
export function organizationSql(text: string): string {
  const spaced = replaced(`lower(COALESCE(${text}, ''))`, WHITE_SPACE, ' ');
  const name = STEPS.reduce((sql, [pattern, by]) => replaced(sql, pattern, by), `trim(${spaced})`);
  return `left(CASE WHEN ${name} IN (SELECT name FROM no_organizations) THEN '' ELSE ${name} END, 255)`;
}

/** Gives the connection the names that are no organisations: the maintained list and countries alone. */
export async function defineOrganizations(staging: DuckDBConnection): Promise<void> {
  const [words, countries] = await Promise.all([
    readTabSeparated('warehouse/no-organizations.tsv'),
    readTabSeparated('warehouse/country-names.tsv'),
  ]);
  // The first cell of a row is the kind of the words, or the code of the country.
  const names = [...words, ...countries].flatMap((row) => row.slice(1));
  await staging.run(DEFINE, [names.join('\n')]);
}

/** Writes `organization_formatted` of all accounts by the rule of this version, where it differs. */
export async function rewriteOrganizations(tables: Tables): Promise<void> {
  await defineOrganizations(tables.staging);
  let page = await named(tables, LEAST_ID);
  while (page.length > 0) {
    const changes = await changesOf(tables, page);
    if (changes.length > 0) await tables.run(updateOf(changes.length), changes.flat());
    page = await named(tables, page.at(-1)?.[0] ?? null);
  }
}

/** Its values are an id and a name, and so on. */
function updateOf(count: number): string {
  const places = Array.from({ length: count }, (_, place) => 2 * place + 1);
  const cases = places.map((place) => `WHEN :p${place} THEN :p${place + 1}`).join(' ');
  const ids = places.map((place) => `:p${place}`).join(', ');
  return `UPDATE github_users SET organization_formatted = CASE id ${cases} END WHERE id IN (${ids})`;
}

const LEAST_ID = '-9223372036854775808';
/** Few enough for the values of one statement. */
const PAGE = 2_000;

/** The next accounts that name an organisation: their ids, the text and what is stored of it. */
function named(tables: Tables, after: Cell): Promise<readonly (readonly Cell[])[]> {
  return tables.rows(
    `SELECT id, organization, organization_formatted FROM github_users
     WHERE organization <> '' AND id > :p1 ORDER BY id LIMIT ${PAGE}`,
    [after],
  );
}

/** The ids, and new names, of those that change. */
async function changesOf(
  { staging }: Tables,
  page: readonly (readonly Cell[])[],
): Promise<[id: bigint, name: string][]> {
  await staging.run('CREATE OR REPLACE TEMP TABLE named_users (id BIGINT, organization VARCHAR, formatted VARCHAR)');
  const appender = await staging.createAppender('named_users');
  for (const row of page) appendRow(appender, row);
  appender.closeSync();
  const names = `SELECT id, ${organizationSql('organization')} AS name, formatted FROM named_users`;
  const reader = await staging.runAndReadAll(`SELECT id, name FROM (${names}) WHERE name IS DISTINCT FROM formatted`);
  await staging.run('DROP TABLE named_users');
  return reader.getRowsJS() as [bigint, string][];
}

const DEFINE = `
  CREATE TEMP TABLE IF NOT EXISTS no_organizations AS
  SELECT DISTINCT unnest(string_split($1, chr(10))) AS name`;

const WHITE_SPACE = '[\\s\\p{Z}\\x{200B}\\x{FEFF}]+';

/** Forms that are recognised behind `-`, `_` and `.`, too, as in the account `acme-inc`. */
const PLAIN_FORMS = 'inc|llc|ltd|gmbh|corp';

/** Legal forms in lower case, as expressions. */
const FORMS = [
  PLAIN_FORMS,
  'incorporated|corporation|(?:private |pvt\\.? |proprietary |pty\\.? )?limited|limitada|pty|pte|pvt',
  '\\(pty\\)|\\(pvt\\)|\\(p\\)|\\(private\\)|sdn\\.? bhd|bhd|tbk|fze|fzco|fz-llc|w\\.?l\\.?l|ооо|зао|оао|пао',
  '(?:and |und |et |& ?)?co|cie|mbh|ggmbh|gesmbh|kgaa|gbr|ug ?\\(haftungsbeschränkt\\)|a/s|s/a|i/s',
  'sp\\.? ?z\\.? ?o\\.? ?o|spol\\. s ?r\\. ?o|s\\. r\\. ?[ol]|s\\.? ?à\\.? ?r\\.? ?l|e\\.u|s\\. p\\. a|s\\. a|ltd\\.? şti|de c\\.? ?v',
  dotted('llc llp lllp plc lp pllc pbc ulc ag kg ug ev eg se sa sas sasu sarl sàrl eurl spa srl srls sl slu sau'),
  dotted('nv bv vof cv bvba sprl asbl vzw ab as asa aps oy oyj oü ehf hf sro doo zrt kft uab ood eood jsc ojsc'),
  dotted('pjsc cjsc kk gk lda ltda eireli aş'),
].join('|');

/** These have no space before them. */
const HAN_FORMS =
  '株式会社|合同会社|有限会社|股份有限公司|有限责任公司|有限公司|㈱|\\(株\\)|（株）|주식회사|\\(주\\)|㈜';

/** Without brackets and quotation marks that close, because what they close is within the name. */
const PUNCTUATION = `[^\\P{P}\\p{Pe}\\p{Pf}\\p{Pi}"']|[®™©|\\s]`;

const SITES =
  '(?:github|gitlab|twitter|x|facebook|instagram|medium|youtube)\\.com|bitbucket\\.org|huggingface\\.co|t\\.me|' +
  'linkedin\\.com/(?:company|school|in)';

/** Expressions in the syntax of RE2, in their order, and what replaces their matches. */
const STEPS: readonly (readonly [pattern: string, by: string])[] = [
  // Of several @names the first. An `@` within a word belongs to an address.
  ['^(?:[^@＠]*[^\\p{L}\\p{N}_.@＠])?[@＠]([\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*).*[@＠][\\p{L}\\p{N}_].*$', '\\1'],
  ['^[@＠\\s]+', ''],
  // On these sites the path names the organisation; elsewhere it names a page.
  [`^(?:[a-z]+://)?(?:[a-z]{2,3}\\.)?(?:${SITES})/@?([^/?#\\s]+)[^\\s]*`, '\\1'],
  ['^(?:[a-z]+://(?:www\\.)?|www\\.)([^/?#\\s]+)[^\\s]*', '\\1'],
  [`(?:${PUNCTUATION}|[\\s,]+(?:${FORMS})|[-_.](?:${PLAIN_FORMS})|${HAN_FORMS}|\\.com)+$`, ''],
  ['^[^\\p{L}\\p{N}]+$', ''],
];

function dotted(forms: string): string {
  return forms
    .split(' ')
    .map((form) => [...form].join('\\.?'))
    .join('|');
}

function replaced(sql: string, pattern: string, by: string): string {
  return `regexp_replace(${sql}, '${pattern.replaceAll("'", "''")}', '${by}', 'g')`;
}

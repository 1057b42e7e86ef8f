import type { DuckDBConnection } from '@duckdb/node-api';
import { appendRow } from '../../engine/databases/duckdb/connection/append-row.js';
import type { Cell } from '../../engine/index.js';
import { readTabSeparated } from '../rules/data-files.js';
import type { Tables } from '../store/store.js';

/**
 * A DuckDB expression for the organization in a profile text. This is the only rule for organizations in the service. The result is in
 * lower case, without a leading `@` and without punctuation, a legal form or `.com` at the end. The result is empty if the text does not
 * name an organization. `defineOrganizations` must be called for the connection first.
 */
export function organizationSql(text: string): string {
  const spaced = replaceSql(`lower(COALESCE(${text}, ''))`, WHITE_SPACE, ' ');
  const plain = STEPS.reduce((sql, [pattern, by]) => replaceSql(sql, pattern, by), `trim(${spaced})`);
  // `plain` is computed in an inner SELECT, so that DuckDB compiles the long patterns only once.
  return `(
    SELECT left(CASE WHEN plain IN (SELECT name FROM no_organizations) THEN '' ELSE plain END, 255)
    FROM (SELECT ${plain} AS plain))`;
}

/** Creates a table of names that are not organizations for this connection: a maintained list, and all country names. */
export async function defineOrganizations(staging: DuckDBConnection): Promise<void> {
  const [words, countries] = await Promise.all([
    readTabSeparated('warehouse/no-organizations.tsv'),
    readTabSeparated('warehouse/country-names.tsv'),
  ]);
  // The first cell of a row is not a name: it is a category, or the code of a country.
  const names = [...words, ...countries].flatMap((row) => row.slice(1));
  await staging.run(DEFINE, [names.join('\n')]);
}

/** Updates `organization_formatted` of all accounts by the rule of this program version. */
export async function rewriteOrganizations(tables: Tables): Promise<void> {
  await defineOrganizations(tables.staging);
  let page = await readPage(tables, MIN_ID);
  while (page.length > 0) {
    const changes = await findChanges(tables, page);
    if (changes.length > 0) await tables.run(updateSql(changes.length), changes.flat());
    page = await readPage(tables, page.at(-1)?.[0] ?? null);
  }
}

/** An UPDATE of `count` accounts. The bound values alternate between an id and a name. */
function updateSql(count: number): string {
  const places = Array.from({ length: count }, (_, place) => 2 * place + 1);
  const cases = places.map((place) => `WHEN :p${place} THEN :p${place + 1}`).join(' ');
  const ids = places.map((place) => `:p${place}`).join(', ');
  return `UPDATE github_users SET organization_formatted = CASE id ${cases} END WHERE id IN (${ids})`;
}

const MIN_ID = '-9223372036854775808';
/** The number of accounts per page. A statement can only bind a limited number of values. */
const PAGE_SIZE = 2_000;

/** Reads the next accounts that name an organization: id, profile text and stored organization. */
function readPage(tables: Tables, after: Cell): Promise<readonly (readonly Cell[])[]> {
  return tables.rows(
    `SELECT id, organization, organization_formatted FROM github_users
     WHERE organization <> '' AND id > :p1 ORDER BY id LIMIT ${PAGE_SIZE}`,
    [after],
  );
}

/** Returns the ids and the new organizations of the accounts whose stored organization is different. */
async function findChanges(
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

/** Legal forms that are also recognized after `-`, `_` and `.`, as in the account `acme-inc`. */
const PLAIN_FORMS = 'inc|llc|ltd|gmbh|corp';

/** Legal forms in lower case, as regular expressions. */
const FORMS = [
  PLAIN_FORMS,
  'incorporated|corporation|(?:private |pvt\\.? |proprietary |pty\\.? )?limited|limitada|pty|pte|pvt',
  '\\(pty\\)|\\(pvt\\)|\\(p\\)|\\(private\\)|sdn\\.? bhd|bhd|tbk|fze|fzco|fz-llc|w\\.?l\\.?l|ооо|зао|оао|пао',
  '(?:and |und |et |& ?)?co|cie|mbh|ggmbh|gesmbh|kgaa|gbr|ug ?\\(haftungsbeschränkt\\)|a/s|s/a|i/s',
  'sp\\.? ?z\\.? ?o\\.? ?o|spol\\. s ?r\\. ?o|s\\. r\\. ?[ol]|s\\.? ?à\\.? ?r\\.? ?l|e\\.u|s\\. p\\. a|s\\. a|ltd\\.? şti|de c\\.? ?v',
  withDots('llc llp lllp plc lp pllc pbc ulc ag kg ug ev eg se sa sas sasu sarl sàrl eurl spa srl srls sl slu sau'),
  withDots('nv bv vof cv bvba sprl asbl vzw ab as asa aps oy oyj oü ehf hf sro doo zrt kft uab ood eood jsc ojsc'),
  withDots('pjsc cjsc kk gk lda ltda eireli aş'),
].join('|');

/** Legal forms that follow the name without a space. */
const HAN_FORMS =
  '株式会社|合同会社|有限会社|股份有限公司|有限责任公司|有限公司|㈱|\\(株\\)|（株）|주식회사|\\(주\\)|㈜';

/** Punctuation except closing brackets and quotation marks: these can be part of the name. */
const PUNCTUATION = `[^\\P{P}\\p{Pe}\\p{Pf}\\p{Pi}"']|[®™©|\\s]`;

const SITES =
  '(?:github|gitlab|twitter|x|facebook|instagram|medium|youtube)\\.com|bitbucket\\.org|huggingface\\.co|t\\.me|' +
  'linkedin\\.com/(?:company|school|in)';

/** Regular expressions of RE2 and the replacements of their matches. The replacements are applied in this order. */
const STEPS: readonly (readonly [pattern: string, by: string])[] = [
  // Keeps the first of several @names. An `@` within a word belongs to an e-mail address.
  ['^(?:[^@＠]*[^\\p{L}\\p{N}_.@＠])?[@＠]([\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*).*[@＠][\\p{L}\\p{N}_].*$', '\\1'],
  ['^[@＠\\s]+', ''],
  // On the sites in `SITES`, the path is the organization. On other sites, the host is.
  [`^(?:[a-z]+://)?(?:[a-z]{2,3}\\.)?(?:${SITES})/@?([^/?#\\s]+)[^\\s]*`, '\\1'],
  ['^(?:[a-z]+://(?:www\\.)?|www\\.)([^/?#\\s]+)[^\\s]*', '\\1'],
  [`(?:${PUNCTUATION}|[\\s,]+(?:${FORMS})|[-_.](?:${PLAIN_FORMS})|${HAN_FORMS}|\\.com)+$`, ''],
  ['^[^\\p{L}\\p{N}]+$', ''],
];

/** Allows a dot after each letter except the last one. */
function withDots(forms: string): string {
  return forms
    .split(' ')
    .map((form) => [...form].join('\\.?'))
    .join('|');
}

function replaceSql(sql: string, pattern: string, by: string): string {
  return `regexp_replace(${sql}, '${pattern.replaceAll("'", "''")}', '${by}', 'g')`;
}

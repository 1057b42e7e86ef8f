/** What the login of a bot looks like, in lower case; `%` stands for any text, as in LIKE. */
const PATTERNS: readonly string[] = [
  '%[bot]',
  '%-bot',
  'bot-%',
  '%-bot-%',
  '%bot',
  '%robot%',
  '%-automation',
  '%-autoroll',
  '%-ci',
  'ci-%',
  '%-jenkins',
  'jenkins-%',
  'codecov%',
  'coveralls%',
  'renovate-%',
  'greenkeeper%',
  'dependabot%',
  'pyup-%',
  'web-flow',
];

/** People, in lower case, whose login matches a pattern by chance. */
const PEOPLE: readonly string[] = ['abbot', 'cabot', 'talbot', 'jabbot', 'elbot', 'turbot', 'burbot', 'robotnik'];

/** Whether a login is a bot's, as a condition in SQL on a column of logins: the one rule of the whole service. */
export function isBotSql(column: string): string {
  const patterns = PATTERNS.map((pattern) => `LOWER(${column}) LIKE '${pattern}'`).join(' OR ');
  const people = PEOPLE.map((name) => `'${name}'`).join(', ');
  return `((${patterns}) AND LOWER(${column}) NOT IN (${people}))`;
}

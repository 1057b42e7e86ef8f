/** Patterns of lower-case logins of bots. `%` matches any text, as in LIKE. */
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

/** Lower-case logins of people that match a pattern by chance. */
const PEOPLE: readonly string[] = ['abbot', 'cabot', 'talbot', 'jabbot', 'elbot', 'turbot', 'burbot', 'robotnik'];

/** A condition in SQL on a column of logins: whether the login is a bot. The whole service uses this rule. */
export function isBotSql(column: string): string {
  const patterns = PATTERNS.map((pattern) => `LOWER(${column}) LIKE '${pattern}'`).join(' OR ');
  const people = PEOPLE.map((name) => `'${name}'`).join(', ');
  return `((${patterns}) AND LOWER(${column}) NOT IN (${people}))`;
}

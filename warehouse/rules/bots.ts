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

/** Lower-case logins of people that match one of the patterns by chance. */
const PEOPLE: readonly string[] = ['abbot', 'cabot', 'talbot', 'jabbot', 'elbot', 'turbot', 'burbot', 'robotnik'];

/** The bot rule of the service: an SQL condition on a login and an account type of GitHub. */
export function isBotSql(login: string, type: string): string {
  return `(${type} = 'Bot' OR ${isBotLoginSql(login)})`;
}

/** The part of the bot rule that needs only the login, for accounts whose type is unknown. */
export function isBotLoginSql(column: string): string {
  const patterns = PATTERNS.map((pattern) => `LOWER(${column}) LIKE '${pattern}'`).join(' OR ');
  const people = PEOPLE.map((name) => `'${name}'`).join(', ');
  return `((${patterns}) AND LOWER(${column}) NOT IN (${people}))`;
}

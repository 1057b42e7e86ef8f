/** Whether a login belongs to a bot. The rule is implemented independently of the SQL patterns of the service. */
export function isBot(login: string): boolean {
  const name = login.toLowerCase();
  return BOT_PATTERN.test(name) && !PEOPLE_PATTERN.test(name);
}

const BOT_PATTERN = new RegExp(
  [
    /\[bot\]$/,
    /bot$|^bot-|-bot-/,
    /robot/,
    /-(automation|autoroll|ci|jenkins)$/,
    /^(ci|jenkins|renovate|pyup)-/,
    /^(codecov|coveralls|greenkeeper|dependabot)/,
    /^web-flow$/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  's',
);

const PEOPLE_PATTERN = /^(abbot|cabot|talbot|jabbot|elbot|turbot|burbot|robotnik)$/;

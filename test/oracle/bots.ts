/** Whether a login is a bot's, told without the patterns of SQL. */
export function isBot(login: string): boolean {
  const name = login.toLowerCase();
  return LOOKS_SO.test(name) && !PEOPLE.test(name);
}

const LOOKS_SO = new RegExp(
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

const PEOPLE = /^(abbot|cabot|talbot|jabbot|elbot|turbot|burbot|robotnik)$/;

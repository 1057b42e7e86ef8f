import type { Random } from './random.js';

/** Titles and sentences of the demo. The titles are already escaped for JSON strings. */
export function createIssueTitle(random: Random): string {
  return `${random.pick(SYMPTOMS)} ${random.pick(PLACES)}`;
}

export function createPullRequestTitle(isBot: boolean, random: Random): string {
  if (isBot)
    return `chore(deps): update demo-package-${1 + random.below(90)} to v${random.below(9)}.${random.below(20)}.0`;
  return `${random.pick(CHANGES)} ${random.pick(PLACES)}`;
}

export function pickComment(random: Random): string {
  return random.pick(COMMENTS);
}

export function createCommitMessage(random: Random): string {
  return `${random.pick(CHANGES)} ${random.pick(PLACES)}`;
}

export function createBranchName(random: Random): string {
  return `${random.pick(['fix', 'feature', 'docs', 'refactor'])}/demo-${random.below(100_000)}`;
}

const inJson = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text).slice(1, -1));

const SYMPTOMS = inJson([
  'Crash',
  'Wrong result',
  'Slow start',
  'Memory grows',
  'Missing documentation',
  'Deadlock',
  'Feature request: limits',
  '"unexpected token"',
  'Timeouts',
  'Question about defaults',
  'Überlauf',
  '文字化け',
]);
const CHANGES = inJson([
  'Fix a crash',
  'Correct the result',
  'Speed up start',
  'Free memory',
  'Document defaults',
  'Avoid a deadlock',
  'Add limits',
  'Quote \\ properly',
  'Shorten timeouts',
  'Rename an option',
  'Test the edge cases',
  'Remove dead code',
]);
const PLACES = inJson([
  'in the parser',
  'on Windows',
  'with empty input',
  'after an upgrade',
  'in the command line',
  'behind a proxy',
  'under load',
  'in the examples',
  'when offline',
  'with large files',
  'in the first run',
  'on slow disks',
]);
const COMMENTS = inJson([
  'Thank you, this is a good catch.',
  'I can reproduce it.',
  'Could you add a test?',
  'LGTM 👍',
  'Works for me.',
  'Let us discuss this first.\n\n> limits\n\nWhat would the default be?',
  'Is there a workaround?',
  'Same here.',
  'Fixed on the main branch.',
  'Please rebase.',
  'The option is called `--demo "quoted"`.',
  'Duplicate of an older one.',
]);

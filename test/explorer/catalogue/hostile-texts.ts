import { HOSTILE_STRINGS } from '../../../engine/authoring/verify/cases.js';
import { MAX_QUESTION_LENGTH } from '../../../explorer/questions/question-text.js';

const REPEATED = [
  'a',
  ' ',
  '/',
  '-',
  '.',
  '@',
  '"',
  "'",
  '(',
  '{',
  '\\',
  '#',
  '1',
  'é',
  '\u0000',
  '\u202e',
  '😀',
  '今',
];
const PIECES = [
  'a/b ',
  '../',
  "' OR 1=1; --",
  '(a+)+$',
  'aaaa-',
  'top 5 ',
  'since ',
  'last 9 years ',
  'stargazer',
  'who ',
  'for a b ',
  'my x ',
  'i am preparing ',
  'i need to ',
];
/** Texts for which a matcher with backtracking would take long. Each is at most as long as a question may be. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...HOSTILE_STRINGS,
  ...[...REPEATED, ...PIECES].map((piece) => piece.repeat(MAX_QUESTION_LENGTH).slice(0, MAX_QUESTION_LENGTH)),
  "star history of a/b'; DROP TABLE github_events; --",
  'https://github.com/'.repeat(20),
  'from 9999-99-99 to 0000-00-00',
  'trending in __proto__ constructor toString',
].map((one) => one.slice(0, MAX_QUESTION_LENGTH));

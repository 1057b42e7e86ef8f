/**
 * Lists of words for worlds. Sketches contain indexes into these lists. An index beyond the end of a list means no word. `#` is replaced by
 * the index of the world and of the person. `talbot` is the login of a person, although it ends in "bot".
 */
export const LOGINS = [
  'ann#',
  'ben#',
  'Cleo#',
  'cleo#',
  'zoë#',
  '🦊fox#',
  'dora#-bot',
  'helper#[bot]',
  'CI-#',
  'talbot',
  'robotics#',
  'Éva#',
];
export const NAMES = ['widget', 'Widget', '🚀rocket', 'long'.repeat(25), 'gear.js', 'nut', 'bolt'];
export const LANGUAGES = ['', 'TypeScript', 'C++', 'Emacs Lisp', 'Zig', 'C#'];
export const ORGANIZATIONS = [
  '',
  'Acme',
  '@acme ',
  ' ACME',
  '@',
  'n/a',
  'None',
  ' ',
  '@Ünïcode 🏢',
  "O'Neil",
  'acme inc',
  'N/A',
  'ACME Co., Ltd.',
  'https://www.acme.com/about',
  '@acme/@beta',
  'Beta & Co. KG',
  'Beta S.A.',
  'Zinc',
  'Freelance',
  'self-employed',
  'Germany',
  'Beta (Acme)',
];
export const COUNTRIES = ['DE', 'JP', 'US', '', 'N/A', 'UND', 'DE', 'JP', 'DE'];

/**
 * Words for worlds, which sketches reference by index; indexes after the last mean none. `#` is replaced by the index
 * of the world and of the person. `talbot` is an exception of the bot rule, which lists whole logins.
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

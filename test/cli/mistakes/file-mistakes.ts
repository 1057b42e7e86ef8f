import type { Mistake } from './valid-definition.js';

/** Mistakes in the YAML, the keys, the parameters, the columns and the examples. */
export const FILE_MISTAKES: readonly Mistake[] = [
  { name: 'a tab as indentation', edits: [['  owner: {', '\towner: {']], report: '' },
  { name: 'a colon in a text without quotes', edits: [['summary: Stars of', 'summary: Stars: of']], report: '' },
  { name: 'no space after a colon', edits: [['name: stars-by-day', 'name:stars-by-day']], report: '' },
  { name: 'a brace that is not closed', edits: [['description: Order }', 'description: Order']], report: '' },
  { name: 'a key twice', edits: [['summary:', 'name: other\nsummary:']], report: '' },
  { name: 'a misspelled key', edits: [['summary:', 'sumary:']], report: '' },
  { name: 'a key of another tool', edits: [['sql: |', 'query: |']], report: '' },
  { name: 'a missing key', edits: [['summary: Stars of a repository by day\n', '']], report: '' },
  { name: 'a name with capitals and _', edits: [['name: stars-by-day', 'name: Stars_by_day']], report: '' },
  { name: 'a path without /v1/', edits: [['path: /v1/repos', 'path: /repos']], report: '' },
  { name: 'a parameter of the path without declaration', edits: [['{owner}/{repo}', '{owner}/{repository}']], report: '' },
  { name: 'a parameter without description', edits: [[', description: Order }', ' }']], report: '' },
  { name: 'a type of another language', edits: [['type: integer', 'type: int']], report: '' },
  { name: 'a default that the enum does not have', edits: [['default: day', 'default: days']], report: '' },
  { name: 'a default above the maximum', edits: [['default: 0', 'default: 5000']], report: '' },
  { name: 'a day that does not exist', edits: [["'2020-01-01'", "'2020-02-30'"]], report: '' },
  { name: 'a keyword of another type', edits: [['maxLength: 39', 'maximum: 39']], report: '' },
  { name: 'an unused parameter', edits: [['  HAVING COUNT(*) >= {{ least }}\n', '']], report: '' },
  { name: 'an unknown data type', edits: [['data_type: BIGINT', 'data_type: LONG']], report: '' },
  { name: 'a column without nullable', edits: [['BIGINT, nullable: false', 'BIGINT']], report: '' },
  { name: 'an example with a misspelled parameter', edits: [['repo: reed-stack } }', 'rep: reed-stack } }']], report: '' },
  { name: 'a timeout without unit', edits: [['examples:', 'limits: { timeout: 5 }\nexamples:']], report: '' },
  { name: 'an unknown rule', edits: [['examples:', 'lint: { unstable-page: Any order is fine. }\nexamples:']], report: '' },
];

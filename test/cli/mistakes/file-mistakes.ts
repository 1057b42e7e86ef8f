import { type Mistake, VALID } from './valid-definition.js';

/** Mistakes in the YAML syntax, keys, parameters, columns and examples. */
export const FILE_MISTAKES: readonly Mistake[] = [
  {
    name: 'a shared part without its file',
    edits: [
      [
        '  owner: { in: path, type: string, maxLength: 39, description: Owner of the repository, example: amber-ibex }',
        '  owner: { use: owner }',
      ],
    ],
    report: '5:17 params.owner.use: unknown shared parameter "owner": add its file to "shared"',
  },
  {
    name: 'a name that another file has',
    edits: [],
    other: VALID.replace('path: /v1/repos', 'path: /v1/others'),
    report: '1:7 name: the name "stars-by-day" is already used by other.yaml: choose another name',
  },
  {
    name: 'a path that another file has',
    edits: [],
    other: VALID.replace('name: stars-by-day', 'name: other'),
    report:
      '2:7 path: /v1/repos/{owner}/{repo}/stars-by-day/ matches the same URLs as the path of other.yaml: choose another path',
  },
  {
    name: 'a tab as indentation',
    edits: [['  owner: {', '\towner: {']],
    report: '5:1 not YAML: tab characters must not be used in indentation: indent with spaces',
  },
  {
    name: 'a colon in a text without quotes',
    edits: [['summary: Stars of', 'summary: Stars: of']],
    report:
      '3:15 not YAML: bad indentation of a mapping entry: give all keys of a mapping the same indentation, and quote a text that contains ": "',
  },
  {
    name: 'no space after a colon',
    edits: [['name: stars-by-day', 'name:stars-by-day']],
    report:
      '2:5 not YAML: end of the stream or a document separator is expected: write a space after the colon of a key',
  },
  {
    name: 'a brace that is not closed',
    edits: [['description: Order }', 'description: Order']],
    report:
      '10:3 not YAML: deficient indentation: close the brace, bracket or quote on a previous line, or indent this line',
  },
  {
    name: 'a key twice',
    edits: [['summary:', 'name: other\nsummary:']],
    report: '3:1 not YAML: duplicated mapping key: remove one of them',
  },
  {
    name: 'a misspelled key',
    edits: [['summary:', 'sumary:']],
    report: '3:1 sumary: unknown key (did you mean "summary"?)',
  },
  {
    name: 'a key of another tool',
    edits: [['sql: |', 'query: |']],
    report: '14:1 query: unknown key (did you mean "sql"?)',
  },
  {
    name: 'a missing key',
    edits: [['summary: Stars of a repository by day\n', '']],
    report: '1:1 the key "summary" is missing',
  },
  {
    name: 'a name with capitals and _',
    edits: [['name: stars-by-day', 'name: Stars_by_day']],
    report: '1:7 name: invalid value (expected kebab-case, such as list-loaves, got "Stars_by_day")',
  },
  {
    name: 'a path without /v1/',
    edits: [['path: /v1/repos', 'path: /repos']],
    report: '2:7 path: wrong beginning of the path (expected /v1/…, got "/repos/{owner}/{repo}/stars-by-day/")',
  },
  {
    name: 'a parameter of the path without declaration',
    edits: [['{owner}/{repo}', '{owner}/{repository}']],
    report: '2:7 path: {repository} is not a declared path parameter: declare it under params with in: path',
  },
  {
    name: 'a parameter without description',
    edits: [[', description: Order }', ' }']],
    report: '9:3 params.sort: the key "description" is missing',
  },
  {
    name: 'a type of another language',
    edits: [['type: integer', 'type: int']],
    report: '10:29 params.least.type: invalid value (did you mean "integer"?) (got "int")',
  },
  {
    name: 'a default that the enum does not have',
    edits: [['default: day', 'default: days']],
    report:
      '9:51 params.sort.default: invalid value for this parameter (did you mean "day"?) (expected one of day, stars, got "days")',
  },
  {
    name: 'a default above the maximum',
    edits: [['default: 0', 'default: 5000']],
    report:
      '10:74 params.least.default: invalid value for this parameter (expected an integer from 0 to 1000, got 5000)',
  },
  {
    name: 'a day that does not exist',
    edits: [["'2020-01-01'", "'2020-02-30'"]],
    report:
      '7:60 params.from.default: invalid value for this parameter (expected a date YYYY-MM-DD from 1000-01-01 to 9999-12-31, got "2020-02-30")',
  },
  {
    name: 'a keyword of another type',
    edits: [['maxLength: 39', 'maximum: 39']],
    report:
      '5:36 params.owner.maximum: maximum does not apply to a parameter of type string (expected one of format, enum, minLength, maxLength, pattern)',
  },
  {
    name: 'an unused parameter',
    edits: [['  HAVING COUNT(*) >= {{ least }}\n', '']],
    report: '10:3 params.least: the SQL does not use this parameter: write {{ least }} in it, or remove the parameter',
  },
  {
    name: 'an unknown data type',
    edits: [['data_type: BIGINT', 'data_type: LONG']],
    report: '13:30 columns.1.data_type: invalid value (did you mean "BIGINT"?) (got "LONG")',
  },
  {
    name: 'a column without nullable',
    edits: [['BIGINT, nullable: false', 'BIGINT']],
    report: '13:5 columns.1: the key "nullable" is missing',
  },
  {
    name: 'an example with a misspelled parameter',
    edits: [['repo: reed-stack } }', 'rep: reed-stack } }']],
    report: '25:52 examples.0.params.rep: "rep" is not a declared parameter (did you mean "repo"?)',
  },
  {
    name: 'a timeout without unit',
    edits: [['examples:', 'limits: { timeout: 5 }\nexamples:']],
    report: '24:20 limits.timeout: invalid value (expected a duration such as 500ms, 5s or 1m, got 5)',
  },
  {
    name: 'an unknown rule',
    edits: [['examples:', 'lint: { unstable-page: Any order is fine. }\nexamples:']],
    report: '24:9 lint.unstable-page: unknown rule "unstable-page" (did you mean "unstable-pages"?)',
  },
];

import { groupKeysOf } from '../../sql/analysis/determination.js';
import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { resolveColumn, type SelectScope } from '../../sql/analysis/select-scope.js';
import { columnsIn, writeColumnName } from '../../sql/analysis/tree-search.js';
import { stringValue } from '../../sql/duckdb/tree/literals.js';
import { children, type Node, toTree } from '../../sql/reading/tree.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds formats of dates that show something else than their author probably expects. */
export function findDateFormats(_: SelectScope, __: LintedText, nodes: ScopeNodes): Finding[] {
  return nodes.of('function').flatMap((call) => {
    const [value, format] = children(call, 'args');
    if (value === undefined || format === undefined || !FORMATTING.has(String(call.fields.name).toUpperCase()))
      return [];
    const text = stringValue(format) ?? '';
    const [, message = '', fix = ''] = DOUBTS.find(([isDoubtful]) => isDoubtful(text)) ?? [];
    if (message === '') return [];
    return [{ rule: 'doubtful-date-format', at: toTree(value), message: `In '${text}', ${message}`, fix } as const];
  });
}

const FORMATTING: ReadonlySet<string> = new Set(['DATE_FORMAT', 'TIME_FORMAT', 'STR_TO_DATE']);

/** Tests of a format, each with the mistake and its correction. */
const DOUBTS: readonly (readonly [isDoubtful: (format: string) => boolean, message: string, fix: string])[] = [
  [
    (format) => /%[HkhIl][:.h]?%[mM]/.test(format),
    '%m is the number of the month and %M is its name, not the minutes',
    'write %i for the minutes',
  ],
  [(format) => /%[Yy][-./]?%i/.test(format), '%i is the minutes, not the month', 'write %m for the month'],
  [
    (format) => /%[hIl]/.test(format) && !/%[pr]/.test(format),
    '%h, %I and %l have the same value in the morning and in the afternoon',
    'write %H, or add %p',
  ],
  [
    (format) => /%Y/.test(format) && /%v/.test(format) && !/%x/.test(format),
    '%v is a week that can begin in the year before %Y or end in the year after it',
    'write %x, the year of the week, instead of %Y',
  ],
];

/** Finds groups by WEEK that combine the same week of several years. */
export function findWeeks(scope: SelectScope): Finding[] {
  const keys = groupKeysOf(scope);
  return keys.flatMap((key) => {
    const isWeek = key.kind === 'week_of_year' || WEEKS.has(String(key.fields.name).toUpperCase());
    const [use] = isWeek ? columnsIn(key.fields) : [];
    const column = use && resolveColumn(scope, use.node);
    if (use === undefined || column?.source.table === undefined) return [];
    const { where_clause: where, having } = scope.node.fields;
    const others = [
      ...keys.filter((other) => other !== key).map(toTree),
      where,
      having,
      ...scope.sources.map(({ on }) => on),
    ];
    const isLimited = columnsIn(others).some(({ node }) => {
      const other = resolveColumn(scope, node);
      return other === undefined || (other.source === column.source && other.name === column.name) || isYear(node);
    });
    if (isLimited) return [];
    const name = writeColumnName(use.node);
    return [
      {
        rule: 'week-without-year',
        at: toTree(use.node),
        message: 'The same week of all years is one group',
        fix: `write YEARWEEK(${name}, 3), or group by the year, too`,
      },
    ];
  });
}

const WEEKS: ReadonlySet<string> = new Set(['WEEK', 'WEEKOFYEAR']);

function isYear(column: Node): boolean {
  return /year/i.test(writeColumnName(column));
}

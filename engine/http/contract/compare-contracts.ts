import { keepsAccess } from '../../definitions/access/require-access.js';
import { type ContractChange, type Difference, differenceOf, EFFECTS, textDifference } from './change.js';
import { compareParameters, DOCUMENTATION } from './compare-parameters.js';
import type { Contract, ContractColumn, ContractInside } from './contract.js';

/**
 * Compares two states of a set of endpoints. Changes are sorted by severity, the most severe first, then by name. `today` is the day of the
 * comparison (`YYYY-MM-DD`): the removal of an endpoint after its announced end is compatible.
 */
export function compareContracts(
  before: readonly Contract[],
  after: readonly Contract[],
  today: string,
): ContractChange[] {
  const pairs = pairUp(before, after);
  const known = new Set(pairs.flatMap(({ old, current }) => [old, current]));
  const changes = [
    ...pairs.flatMap(({ old, current }) => named(current, compareContract(old, current))),
    ...before.filter((old) => !known.has(old)).flatMap((old) => named(old, [removalOf(old, today)])),
    ...after.filter((current) => !known.has(current)).flatMap((current) => named(current, [ADDITION])),
  ];
  const rankOf = ({ effect }: ContractChange) => EFFECTS.indexOf(effect);
  return changes.sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(a.endpoint, b.endpoint));
}

interface Pair {
  readonly old: Contract;
  readonly current: Contract;
}

/** Pairs contracts with the same name, then renamed ones: those with the same path, or with the same content. */
function pairUp(before: readonly Contract[], after: readonly Contract[]): Pair[] {
  const byName = new Map(after.map((current) => [current.name, current]));
  const pairs = before.flatMap((old) => {
    const current = byName.get(old.name);
    return current === undefined ? [] : [{ old, current }];
  });
  const names = new Set(pairs.map(({ old }) => old.name));
  const added = after.filter(({ name }) => !names.has(name));
  for (const old of before.filter(({ name }) => !names.has(name))) {
    const current = added.find((one) => isRenamed(old, one));
    if (current === undefined) continue;
    pairs.push({ old, current });
    added.splice(added.indexOf(current), 1);
  }
  return pairs;
}

function isRenamed(old: Contract, current: Contract): boolean {
  if (old.path !== undefined && current.path !== undefined) return isSamePath(old.path, current.path);
  return old.path === current.path && contentOf(old) === contentOf(current);
}

function contentOf({ params, pagination, columns, inside }: Contract): string {
  return JSON.stringify([params, pagination, columns, inside?.sql]);
}

function named({ name: endpoint }: Contract, differences: readonly Difference[]): ContractChange[] {
  return differences.map((difference) => ({ endpoint, ...difference }));
}

function removalOf({ sunset }: Contract, today: string): Difference {
  const removed = { action: 'removed', place: '' } as const;
  if (sunset === undefined) return { effect: 'breaking', ...removed, reason: 'all its requests fail' };
  if (sunset <= today) return { effect: 'compatible', ...removed, reason: `its announced end, ${sunset}, has passed` };
  return { effect: 'breaking', ...removed, reason: `all its requests fail before its announced end, ${sunset}` };
}

const ADDITION: Difference = {
  effect: 'compatible',
  action: 'added',
  place: '',
  reason: 'the other endpoints are not affected',
};

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Compares two contracts of one endpoint, in the order of the keys of a definition. */
function compareContract(before: Contract, after: Contract): Difference[] {
  return [
    ...compareName(before, after),
    ...comparePath(before, after),
    ...Object.keys(after.texts).flatMap((key) =>
      textDifference(key, [filled(before.texts[key]), filled(after.texts[key])], DOCUMENTATION),
    ),
    ...compareDeprecation(before, after),
    ...compareParameters(before.params, after.params),
    ...comparePagination(before, after),
    ...compareColumns(before.columns, after.columns),
    ...compareMembers(before, after),
    ...(before.inside && after.inside
      ? compareInside(before.inside, after.inside, after.pagination !== undefined)
      : []),
  ];
}

/** Whether two paths match the same URLs. Parameter names and a slash at the end are ignored. */
function isSamePath(one: string, other: string): boolean {
  const shapeOf = (path: string) => path.replace(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
  return shapeOf(one) === shapeOf(other);
}

/** Returns undefined for an empty list, which means the same as an absent value. */
function filled(text: unknown): unknown {
  return Array.isArray(text) && text.length === 0 ? undefined : text;
}

function compareName(before: Contract, after: Contract): Difference[] {
  if (before.name === after.name) return [];
  const reason = 'requests with the earlier name fail';
  return [{ effect: 'breaking', action: 'renamed', place: 'name', before: before.name, after: after.name, reason }];
}

function comparePath({ path: before }: Contract, { path: after }: Contract): Difference[] {
  if (before !== undefined && after !== undefined && isSamePath(before, after)) return [];
  return differenceOf('path', [before, after], (action) =>
    action === 'added'
      ? { effect: 'compatible', reason: 'requests by name continue to work' }
      : { effect: 'breaking', reason: 'requests to the earlier path fail' },
  );
}

function compareDeprecation(before: Contract, after: Contract): Difference[] {
  return [
    ...differenceOf('deprecated', [before.deprecated, after.deprecated], () => ({
      effect: 'compatible',
      reason: 'answers stay the same; only their headers and the documentation change',
    })),
    ...differenceOf('sunset', [before.sunset, after.sunset], () =>
      isEarlier(before.sunset, after.sunset)
        ? { effect: 'breaking', reason: 'callers have less time than was announced' }
        : { effect: 'compatible', reason: 'answers stay the same; only their headers and the documentation change' },
    ),
  ];
}

function isEarlier(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && after < before;
}

function comparePagination({ pagination: before }: Contract, { pagination: after }: Contract): Difference[] {
  if (before === undefined || after === undefined) {
    return differenceOf('pagination', [before, after], (action) => ({
      effect: 'breaking',
      reason:
        action === 'added'
          ? 'requests without a page get only the first one'
          : 'requests with page or page_size are rejected',
    }));
  }
  return [
    ...differenceOf('pagination.default', [before.default, after.default], () => ({
      effect: 'breaking',
      reason: 'requests without page_size silently get another number of rows',
    })),
    ...differenceOf('pagination.max', [before.max, after.max], () =>
      after.max < before.max
        ? { effect: 'breaking', reason: 'requests with a larger page_size are rejected' }
        : { effect: 'compatible', reason: 'more values are accepted' },
    ),
  ];
}

function compareMembers(before: Contract, after: Contract): Difference[] {
  return MEMBERS.flatMap(([member, place, reason]) => {
    // If pagination was added or removed, this is already reported.
    if (member === 'hasCursors' && (before.pagination === undefined || after.pagination === undefined)) return [];
    const [old, current] = [before.members[member], after.members[member]];
    return textDifference(
      place,
      [old || undefined, current || undefined],
      old ? { effect: 'breaking', reason } : { effect: 'compatible', reason: 'programs need not read it' },
    );
  });
}

/** Members of answers that only some definitions have, with the consequence of their removal. */
const MEMBERS = [
  ['hasCursors', 'next_cursor', 'requests with cursor are rejected, and programs find no cursor of the next page'],
  ['hasTotal', 'total', 'programs do not find the number of all rows'],
  ['hasSources', 'sources', 'programs do not find the sources of the data and their shares'],
] as const;

const OTHER_ANSWERS = {
  effect: 'compatible',
  reason:
    'requests and the form of the answers stay the same, but their rows may change; this comparison does not run the SQL',
} as const;

const OTHER_METADATA = {
  effect: 'compatible',
  reason: 'rows stay the same, but their freshness or notices may change',
} as const;

function compareInside(before: ContractInside, after: ContractInside, hasPages: boolean): Difference[] {
  const { metadata, storage } = after;
  return [
    ...compareAccess(before, after),
    ...textDifference('sql', [before.sql.trim(), after.sql.trim()], OTHER_ANSWERS),
    ...compareParents(before, after),
    ...compareRows(before, after, hasPages),
    ...differenceOf('limits.timeout', [`${before.timeoutMs} ms`, `${after.timeoutMs} ms`], () => ({
      effect: 'compatible',
      reason: 'the same requests are answered, but a slow query ends earlier or later',
    })),
    ...compareRequests(before, after),
    ...Object.keys(metadata).flatMap((key) =>
      textDifference(key, [filled(before.metadata[key]), filled(metadata[key])], OTHER_METADATA),
    ),
    ...Object.keys(storage).flatMap((key) =>
      differenceOf(key, [storedFor(before.storage[key]), storedFor(storage[key])], () => ({
        effect: 'compatible',
        reason: 'rows stay the same, but their age may change',
      })),
    ),
  ];
}

/** Compares how many requests one caller may send. A lower number can reject a burst, and a lower rate can reject a steady stream. */
function compareRequests({ requests: before }: ContractInside, { requests: after }: ContractInside): Difference[] {
  const rateOf = (limit: ContractInside['requests']) => (limit === undefined ? Infinity : limit.points / limit.seconds);
  const pointsOf = (limit: ContractInside['requests']) => limit?.points ?? Infinity;
  const textOf = (limit: ContractInside['requests']) => limit && `${limit.points} in ${limit.seconds} s`;
  return differenceOf('limits.requests', [textOf(before), textOf(after)], () =>
    rateOf(after) < rateOf(before) || pointsOf(after) < pointsOf(before)
      ? { effect: 'breaking', reason: 'callers with more requests are rejected' }
      : { effect: 'compatible', reason: 'callers can send more requests' },
  );
}

/** Compares who can read the endpoint. An entry that is removed makes requests fail that were answered before. */
function compareAccess({ access: before }: ContractInside, { access: after }: ContractInside): Difference[] {
  return differenceOf('access', [before?.join(', ') ?? 'public', after?.join(', ') ?? 'public'], () =>
    keepsAccess(before, after)
      ? { effect: 'compatible', reason: 'more callers can read the endpoint' }
      : { effect: 'breaking', reason: 'requests of some callers are rejected' },
  );
}

/** Compares which rows become one object. If the list was added or removed, its columns already report this. */
function compareParents({ nestedBy: before }: ContractInside, { nestedBy: after }: ContractInside): Difference[] {
  if (before === undefined || after === undefined) return [];
  const reason = 'other rows become one object in /q, NDJSON and MCP';
  return differenceOf('nest.by', [before, after], () => ({ effect: 'breaking', reason }));
}

/** Compares the row limits. With pagination, row limits are ignored, because the page size determines the number of rows. */
function compareRows(before: ContractInside, after: ContractInside, hasPages: boolean): Difference[] {
  if (hasPages) return [];
  return [
    ...differenceOf('limits.rows', [before.rows, after.rows], () =>
      after.rows < before.rows
        ? { effect: 'breaking', reason: 'answers with more rows are truncated' }
        : { effect: 'compatible', reason: 'fewer answers are truncated' },
    ),
    ...differenceOf('limits.stream_rows', [before.streamRows, after.streamRows], () =>
      (after.streamRows ?? after.rows) < (before.streamRows ?? before.rows)
        ? { effect: 'breaking', reason: 'CSV, NDJSON and Arrow with more rows are truncated' }
        : { effect: 'compatible', reason: 'CSV, NDJSON and Arrow are truncated less often' },
    ),
  ];
}

/** Formats a storage time. 0 and an absent value mean the same. */
function storedFor(ms: number | undefined): string | undefined {
  return ms === undefined || ms === 0 ? undefined : `${ms} ms`;
}

type Columns = readonly ContractColumn[];

/** Compares the columns of the answers. */
function compareColumns(before: Columns, after: Columns): Difference[] {
  const renamed = findRenamed(before, after);
  const isKept = ({ col }: ContractColumn) => renamed.has(col) || after.some((column) => column.col === col);
  const kept = before.filter(isKept);
  const differences = before.flatMap((old): Difference[] => {
    const name = renamed.get(old.col) ?? old.col;
    const current = after.find(({ col }) => col === name);
    if (current === undefined) return [removedOf(old)];
    return [...renamedFrom(old.col, renamed), ...compareColumn(old, current)];
  });
  const names = kept.map(({ col }) => renamed.get(col) ?? col);
  const added = after.filter(({ col }) => !names.includes(col)).map(addedOf);
  return [...differences, ...added, ...compareOrder(names, after)];
}

function removedOf({ col }: ContractColumn): Difference {
  const reason = 'programs that read the column find no cells';
  return { effect: 'breaking', action: 'removed', place: `columns.${col}`, reason };
}

function addedOf({ col }: ContractColumn): Difference {
  const reason = 'programs that read the other columns find them unchanged';
  return { effect: 'compatible', action: 'added', place: `columns.${col}`, reason };
}

/** Finds renamed columns: a removed column, and a new column of the same type at the same position. */
function findRenamed(before: Columns, after: Columns): ReadonlyMap<string, string> {
  const hasColumn = (columns: Columns, name: string) => columns.some(({ col }) => col === name);
  const pairs = before.flatMap((old, index) => {
    const current = after[index];
    if (current === undefined || hasColumn(after, old.col) || hasColumn(before, current.col)) return [];
    const isSame = shapeOf(old) === shapeOf(current) && before.length === after.length;
    return isSame ? [[old.col, current.col] as const] : [];
  });
  return new Map(pairs);
}

function shapeOf({ type, scale, nullable }: ContractColumn): string {
  return JSON.stringify([type, scale, nullable]);
}

function renamedFrom(old: string, renamed: ReadonlyMap<string, string>): Difference[] {
  const name = renamed.get(old);
  if (name === undefined) return [];
  const reason = 'programs that read the earlier name find no cells';
  return [{ effect: 'breaking', action: 'renamed', place: `columns.${name}`, before: old, after: name, reason }];
}

function compareColumn(before: ContractColumn, after: ContractColumn): Difference[] {
  const place = `columns.${after.col}`;
  return [
    ...differenceOf(`${place}.data_type`, typesOf(before, after), () =>
      hasSameCells(before, after)
        ? { effect: 'compatible', reason: 'cells are written in the same way' }
        : { effect: 'breaking', reason: 'cells are written in another way' },
    ),
    ...differenceOf(`${place}.scale`, [before.scale, after.scale], () => ({
      effect: 'breaking',
      reason: 'cells are rounded to another number of digits',
    })),
    ...compareNullable(before, after, place),
    ...differenceOf(`${place}.list`, [before.list, after.list], () => ({
      effect: 'breaking',
      reason: 'programs find the cells at another place in /q, NDJSON and MCP',
    })),
    ...textDifference(`${place}.description`, [before.description, after.description], DOCUMENTATION),
  ];
}

function compareNullable({ nullable: before }: ContractColumn, { nullable: after }: ContractColumn, place: string) {
  if (before === undefined || after === undefined) return [];
  return differenceOf(`${place}.nullable`, [before, after], () =>
    after
      ? { effect: 'breaking', reason: 'cells can be missing, which programs do not expect' }
      : { effect: 'compatible', reason: 'cells are never missing' },
  );
}

/** Returns both types in a comparable form: with text patterns only if both are known. */
function typesOf(before: ContractColumn, after: ContractColumn): readonly [string, string] {
  if (areTextsKnown(before, after)) return [before.type, after.type];
  return [before.nativeTypes.join(' or '), after.nativeTypes.join(' or ')];
}

/** Whether a program that reads every cell of the earlier type can read every cell of the other type. */
function hasSameCells(before: ContractColumn, after: ContractColumn): boolean {
  const isExpected = (type: string) => before.nativeTypes.includes(type);
  if (!after.nativeTypes.every(isExpected)) return false;
  return !areTextsKnown(before, after) || before.textPattern === after.textPattern;
}

function areTextsKnown(before: ContractColumn, after: ContractColumn): boolean {
  return before.textPattern !== undefined && after.textPattern !== undefined;
}

/** Compares the order of columns. `names` contains the current names of the kept columns in their earlier order. */
function compareOrder(names: readonly string[], after: Columns): Difference[] {
  const current = after.map(({ col }) => col);
  const kept = current.filter((name) => names.includes(name));
  const isMoved = kept.join() !== names.join() || current.slice(0, names.length).join() !== names.join();
  if (!isMoved) return [];
  const reason = 'rows name their cells; only programs that read the list of columns by position are affected';
  const sides = { before: names.join(', '), after: current.join(', ') };
  return [{ effect: 'compatible', action: 'reordered', place: 'columns', ...sides, reason }];
}

import { type Difference, differenceOf, textDifference } from './change.js';
import { DOCUMENTATION } from './compare-parameters.js';
import type { ContractColumn } from './contract.js';

type Columns = readonly ContractColumn[];

/** Compares the columns of the answers. */
export function compareColumns(before: Columns, after: Columns): Difference[] {
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

/** Finds removed columns with a new column of the same type at the same position. */
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
    ...differenceOf(`${place}.nullable`, [before.nullable, after.nullable], () =>
      after.nullable
        ? { effect: 'breaking', reason: 'cells can be missing, which programs do not expect' }
        : { effect: 'compatible', reason: 'cells are never missing' },
    ),
    ...textDifference(`${place}.description`, [before.description, after.description], DOCUMENTATION),
  ];
}

/** Returns what is known about both types. */
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

/** `names` are the present names of the kept columns in their earlier order. */
function compareOrder(names: readonly string[], after: Columns): Difference[] {
  const current = after.map(({ col }) => col);
  const kept = current.filter((name) => names.includes(name));
  const isMoved = kept.join() !== names.join() || current.slice(0, names.length).join() !== names.join();
  if (!isMoved) return [];
  const reason = 'rows name their cells; only programs that read the list of columns by position are affected';
  const sides = { before: names.join(', '), after: current.join(', ') };
  return [{ effect: 'compatible', action: 'reordered', place: 'columns', ...sides, reason }];
}

import type { DescribedColumn } from '../../databases/interface/database.js';
import type { ColumnDefinition } from '../../definitions/definition.js';
import type { OutputColumn } from '../../sql/outline/query-outline.js';
import { proposeColumns } from '../propose/propose-columns.js';
import type { TableMeanings } from '../propose/table-meaning.js';

/** A column that the definition declares, that the database returns, or both. */
export interface ColumnComparison {
  readonly col: string;
  /** The declared type; absent if the definition does not declare the column. */
  readonly declared?: string;
  /** The type of the database; absent if the SELECT does not return the column. */
  readonly database?: string;
  /** The differences between the declaration and the database; empty if both are equal. */
  readonly differences: readonly ('missing' | 'unknown' | 'order' | 'type' | 'scale' | 'nullable')[];
}

export interface ComparedColumns {
  readonly columns: readonly ColumnComparison[];
  /** The corrected columns in the order of the database. A declared fact stays if the database does not determine it. */
  readonly wanted: readonly ColumnDefinition[];
}

/**
 * Compares declared columns with those of the database. Types of text count as equal, because databases name them
 * differently. `nullable` is compared only if the database or the tables determine whether the column can be NULL.
 */
export function compareColumns(
  declared: readonly ColumnDefinition[],
  described: readonly DescribedColumn[],
  outputs: readonly OutputColumn[],
  tables: TableMeanings,
): ComparedColumns {
  const proposed = proposeColumns(described, outputs, tables);
  const shared = declared.filter(({ col }) => described.some(({ name }) => name === col)).map(({ col }) => col);
  const order = described.map(({ name }) => name).filter((name) => shared.includes(name));
  const found = proposed.columns.map((column): { comparison: ColumnComparison; wanted: ColumnDefinition } => {
    const own = declared.find(({ col }) => col === column.col);
    const database = formatColumn(column);
    if (own === undefined)
      return { comparison: { col: column.col, database, differences: ['missing'] }, wanted: column };
    const isNullKnown = !proposed.unknownNulls.includes(column.col);
    const differences = [
      ...(shared.indexOf(column.col) === order.indexOf(column.col) ? [] : (['order'] as const)),
      ...(isSameType(own.data_type, column.data_type) ? [] : (['type'] as const)),
      ...(isSameScale(own, column) ? [] : (['scale'] as const)),
      ...(isNullKnown && own.nullable !== column.nullable ? (['nullable'] as const) : []),
    ];
    return {
      comparison: { col: column.col, declared: formatColumn(own), database, differences },
      wanted: merge(own, column, isNullKnown),
    };
  });
  const unknown = declared
    .filter(({ col }) => !described.some(({ name }) => name === col))
    .map((own): ColumnComparison => ({ col: own.col, declared: formatColumn(own), differences: ['unknown'] }));
  return {
    columns: [...found.map(({ comparison }) => comparison), ...unknown],
    wanted: found.map(({ wanted }) => wanted),
  };
}

function merge(own: ColumnDefinition, column: ColumnDefinition, isNullKnown: boolean): ColumnDefinition {
  const isSame = isSameType(own.data_type, column.data_type);
  const { scale = isSame ? own.scale : undefined } = column;
  return {
    col: own.col,
    data_type: isSame ? own.data_type : column.data_type,
    ...(scale !== undefined && { scale }),
    nullable: isNullKnown ? column.nullable : own.nullable,
    description: own.description,
  };
}

const TEXTS = new Set(['CHAR', 'VARCHAR', 'TINYTEXT', 'TEXT', 'MEDIUMTEXT', 'LONGTEXT', 'ENUM', 'SET', 'JSON']);

function isSameType(one: string, other: string): boolean {
  return one === other || (TEXTS.has(one) && TEXTS.has(other));
}

/** A scale counts as equal if only one of both is known: a declared scale can round a number that the database does not round. */
function isSameScale(own: ColumnDefinition, { data_type, scale }: ColumnDefinition): boolean {
  return own.data_type !== data_type || own.scale === undefined || scale === undefined || own.scale === scale;
}

function formatColumn({ data_type, scale, nullable }: ColumnDefinition): string {
  return `${data_type}${scale === undefined ? '' : ` scale ${scale}`}${nullable ? '' : ' not null'}`;
}

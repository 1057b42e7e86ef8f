import { DATA_TYPES, type DataType } from '../../databases/interface/data-types.js';
import type { DescribedColumn } from '../../databases/interface/database.js';
import type { ColumnDefinition } from '../../definitions/definition.js';
import type { OutputColumn } from '../../sql/outline/query-outline.js';
import { firstSentence, meaningOf, type TableMeanings } from './table-meaning.js';

export interface ProposedColumns {
  readonly columns: readonly ColumnDefinition[];
  /** Columns that are declared as nullable because it is unknown whether they can be NULL. */
  readonly unknownNulls: readonly string[];
  /** Columns whose description was derived from the name alone. */
  readonly undescribed: readonly string[];
}

/** Creates the column declarations of a SELECT, with the types of the database and the descriptions of the tables. */
export function proposeColumns(
  described: readonly DescribedColumn[],
  outputs: readonly OutputColumn[],
  tables: TableMeanings,
): ProposedColumns {
  const isKnownNull = (output: OutputColumn | undefined, { nullable }: DescribedColumn) =>
    nullable !== undefined ||
    output?.isNeverNull === true ||
    (output?.call === undefined && output?.origin !== undefined);
  const descriptions = described.map(({ name }, index) => describeOutput(name, outputs[index], tables));
  return {
    columns: described.map((column, index) => ({
      col: column.name,
      ...typeOf(column),
      nullable: isNullable(column, outputs[index]),
      description: descriptions[index]?.text ?? column.name,
    })),
    unknownNulls: described.filter((column, index) => !isKnownNull(outputs[index], column)).map(({ name }) => name),
    undescribed: described.filter((_, index) => descriptions[index]?.isKnown !== true).map(({ name }) => name),
  };
}

function isNullable({ nullable }: DescribedColumn, output: OutputColumn | undefined): boolean {
  if (output?.canBeSubtotal === true) return true;
  return output?.isNeverNull !== true && nullable !== false;
}

/** Returns the declared type and scale for a column of a database. A type that definitions do not support becomes VARCHAR. */
export function typeOf({ type, scale }: DescribedColumn): Pick<ColumnDefinition, 'data_type' | 'scale'> {
  const dataType: DataType = (DATA_TYPES as readonly string[]).includes(type) ? (type as DataType) : 'VARCHAR';
  return { data_type: dataType, ...(dataType === 'DECIMAL' && scale !== undefined && { scale }) };
}

/** The words that describe an aggregate, before the name of its column. */
const AGGREGATES: Readonly<Record<string, string>> = {
  MIN: 'Smallest',
  MAX: 'Largest',
  SUM: 'Sum of',
  AVG: 'Average of',
};

function describeOutput(
  name: string,
  output: OutputColumn | undefined,
  tables: TableMeanings,
): { readonly text: string; readonly isKnown: boolean } {
  const words = name.replaceAll('_', ' ').trim();
  const fallback = { text: words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1), isKnown: false };
  if (output === undefined) return fallback;
  const { origin, call, isDistinct } = output;
  const meaning = origin === undefined ? undefined : meaningOf(tables, origin.table, origin.column);
  if (call === undefined) {
    if (meaning?.description === undefined) return fallback;
    return { text: firstSentence(meaning.description), isKnown: true };
  }
  if (call === 'COUNT') {
    const counted = origin === undefined ? 'rows' : `${isDistinct ? 'distinct ' : ''}values of ${origin.column}`;
    return { text: `Number of ${counted}`, isKnown: true };
  }
  const aggregate = AGGREGATES[call];
  return aggregate === undefined || origin === undefined
    ? fallback
    : { text: `${aggregate} ${origin.column}`, isKnown: true };
}

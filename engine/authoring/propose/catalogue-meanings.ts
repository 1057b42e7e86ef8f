import type { Catalogue, CatalogueTable } from '../../databases/catalogue.js';
import { quoteName } from '../../sql/reading/lexemes.js';
import type { TableMeaning, TableMeanings } from './table-meaning.js';

/** Returns the meanings of the tables of a database from its catalogue: its comments, keys and times of change. */
export function catalogueMeanings(catalogue: Catalogue): TableMeanings {
  return new Map([...catalogue].map(([name, table]) => [name, meaningOf(table)]));
}

function meaningOf({ name, comment, columns, keys }: CatalogueTable): TableMeaning {
  const changed = CHANGE_TIMES.find((column) => /^(DATETIME|TIMESTAMP|DATE)\b/.test(columns.get(column)?.type ?? ''));
  return {
    words: name.toLowerCase().replaceAll('_', ' '),
    ...(comment !== '' && { description: comment }),
    columns: new Map(
      [...columns].map(([column, { name: written, type, isNotNull, comment: text }]) => {
        const known = { type, isNotNull, ...(text !== '' && { description: text }) };
        return [column, written === column ? known : { ...known, name: written }];
      }),
    ),
    // A table without a key has no unique order: equal rows are then the same in every order.
    order: keys[0] ?? [...columns.keys()],
    ...(changed !== undefined && { dataAsOf: `SELECT MAX(${quoteName(changed)}) FROM ${quoteName(name)}` }),
  };
}

/** Names of columns that tables commonly have for the time of the last change of a row, best first. */
const CHANGE_TIMES = ['updated_at', 'modified_at', 'last_modified', 'changed_at', 'updated', 'modified'];

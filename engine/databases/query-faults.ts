/** Messages for authors about mistakes in a query. All databases use them, so that a mistake has the same message everywhere. */
export const QUERY_FAULTS = {
  unknownTable: (table: string) => `the table "${table}" does not exist`,
  unknownColumn: (column: string) => `unknown column "${column}"`,
  unknownAlias: (name: string) => `no table of this SELECT has the name or the alias "${name}"`,
  ambiguousColumn: (name: string) => `the column "${name}" is ambiguous: write table.${name}`,
  equalNames: (name: string) => `two tables of one SELECT have the name "${name}": give one of them another alias`,
  notGrouped: (name: string) =>
    `the column "${name}" is not grouped: add it to GROUP BY, or write MIN, MAX or ANY_VALUE`,
  differentColumns: () =>
    'the SELECTs of a UNION, INTERSECT or EXCEPT have different numbers of columns: select as many columns in each',
  severalColumns: () => 'a subquery with several columns is used as one value: select one column',
  severalRows: () => 'a subquery that is used as one value returns several rows: add LIMIT 1',
  nestedAggregate: () => 'an aggregate cannot contain an aggregate: compute the inner one in a derived table',
  unnamedTable: () => 'a derived table needs a name: write AS name',
  mixedCollations: () =>
    'texts with different collations or character sets are combined: write CAST(x AS CHAR) around each column',
  calculatedBits: (name: string) =>
    `the column "${name}" is calculated from a BIT column: write CAST(x AS UNSIGNED) around the BIT column`,
  outOfRange: () => 'a number is out of range',
} as const;

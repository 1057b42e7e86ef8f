/** The data types that `data.columns` can contain. */
export const DATA_TYPES = [
  'CHAR',
  'BIGINT',
  'DECIMAL',
  'INT',
  'UNSIGNED BIGINT',
  'TINYINT',
  'TIMESTAMP',
  'TEXT',
  'VARCHAR',
  'DATETIME',
  'DOUBLE',
  'FLOAT',
  'DATE',
  'TIME',
  'YEAR',
  'MEDIUMINT',
  'SMALLINT',
  'BIT',
  'BINARY',
  'VARBINARY',
  'JSON',
  'ENUM',
  'SET',
  'TINYTEXT',
  'MEDIUMTEXT',
  'LONGTEXT',
  'TINYBLOB',
  'MEDIUMBLOB',
  'BLOB',
  'LONGBLOB',
] as const;

export type DataType = (typeof DATA_TYPES)[number];

/** Types whose values are whole numbers. */
export const INTEGERS: ReadonlySet<DataType> = new Set<DataType>([
  'BIGINT',
  'INT',
  'UNSIGNED BIGINT',
  'TINYINT',
  'MEDIUMINT',
  'SMALLINT',
  'YEAR',
]);

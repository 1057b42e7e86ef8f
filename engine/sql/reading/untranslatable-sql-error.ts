/** Thrown for SQL that is valid in the MySQL dialect but has no equivalent in the dialect of this database. */
export class UntranslatableSqlError extends Error {
  override readonly name = 'UntranslatableSqlError';
}

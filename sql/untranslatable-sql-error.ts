/** The SQL is right in the MySQL dialect but has no equal in the dialect of this database. */
export class UntranslatableSqlError extends Error {
  override readonly name = 'UntranslatableSqlError';
}

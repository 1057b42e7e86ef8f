import type { WriteConnection } from '../../databases/mysql/write-connection.js';

/**
 * Rewrites an ALTER TABLE with `MODIFY COLUMN name type` actions. In the migrations, these actions only mean that the
 * column may be NULL. So the new statement keeps the current type of the column, because another program may have
 * created the column with a longer text type. Returns undefined if all columns may already be NULL. Returns any other
 * statement unchanged.
 */
export async function allowNull(connection: WriteConnection, statement: string): Promise<string | undefined> {
  const [, table, actions] = /^(?:--[^\n]*\n|\s)*ALTER TABLE (\w+)\s+(MODIFY COLUMN .*)$/s.exec(statement) ?? [];
  if (table === undefined || actions === undefined) return statement;
  const names = [...actions.matchAll(/MODIFY COLUMN (\w+)/g)].map(([, name = '']) => name);
  const rows = await connection.rows(
    `SELECT column_name, column_type, collation_name FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = :p1 AND is_nullable = 'NO'`,
    [table],
  );
  const changes = rows
    .filter(([name]) => names.includes(String(name)))
    .map(
      ([name, type, collation]) => `MODIFY COLUMN ${name} ${type}${collation === null ? '' : ` COLLATE ${collation}`}`,
    );
  return changes.length === 0 ? undefined : `ALTER TABLE ${table} ${changes.join(', ')}`;
}

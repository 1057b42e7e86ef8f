import { Dialect, generate, parse } from '@polyglot-sql/sdk';
import { UntranslatableSqlError } from '../../engine/database.js';

/** The DuckDB text of one SELECT that is written in the MySQL dialect; `:p1` becomes `$1`. */
export function translate(sql: string): string {
  const parsed = parse(sql, Dialect.MySQL);
  if (!parsed.success) throw new UntranslatableSqlError(parsed.error ?? 'The SQL cannot be parsed.');
  const generated = generate(numbered(parsed.ast), Dialect.DuckDB);
  const [text] = generated.sql ?? [];
  if (text === undefined) throw new UntranslatableSqlError(generated.error ?? 'The SQL cannot be generated.');
  return text;
}

function numbered(ast: unknown): unknown {
  return JSON.parse(JSON.stringify(ast), (key, value) =>
    key === 'parameter' ? { ...value, style: 'Dollar', name: String(value.name).replace(/^p/, '') } : value,
  );
}

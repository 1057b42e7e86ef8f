import type { SqlReader } from '../../sql/reading/sql-reader.js';
import type { ParameterDefinition } from '../definition.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import type { Problem } from '../problem.js';
import { parseTemplate } from '../template/template.js';
import type { TemplateProblem } from '../template/template-problem.js';
import { expandVariants, type Variant, type Variants } from '../template/template-variants.js';
import { checkQuery, type ExpectedColumns } from './query-check.js';

/** A template with all its variants. The SQL of every variant has been parsed. */
export interface Query {
  readonly variants: Variants;
  /** The variants in which the author wrote a LIMIT. */
  readonly limited: ReadonlySet<Variant>;
  /** The tables that the variants read, in lower case. */
  readonly tables: ReadonlySet<string>;
  /** Whether a variant returns the optional columns. */
  readonly hasOptional: boolean;
  /** Names of the parameters that the template uses. */
  readonly used: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/**
 * Reads the SQL at `path` of a definition and checks all its variants. With `columns`, the SELECT must return these columns.
 */
export function readQuery(
  source: DefinitionSource,
  path: DefinitionPath,
  sql: string,
  parameters: Readonly<Record<string, ParameterDefinition>>,
  columns: ExpectedColumns | undefined,
  readSqlText: SqlReader,
): Query {
  const place = ({ offset, message, expected }: TemplateProblem) =>
    source.problem(path, message, { at: offset, ...(expected !== undefined && { expected }) });
  const template = parseTemplate(sql, parameters);
  const noVariants = { all: [], select: rejectSelection, problems: [] };
  const { used } = template;
  if (template.problems.length > 0) {
    return {
      variants: noVariants,
      limited: new Set(),
      tables: new Set(),
      hasOptional: false,
      used,
      problems: template.problems.map(place),
    };
  }
  const variants = expandVariants(template, parameters);
  const check = checkQuery(variants.all, columns, readSqlText);
  const { limited, tables, hasOptional } = check;
  return {
    variants,
    limited,
    tables,
    hasOptional,
    used,
    problems: [...variants.problems, ...check.problems].map(place),
  };
}

function rejectSelection(): never {
  throw new Error('a query with problems cannot run');
}

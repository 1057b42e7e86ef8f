import type { SqlReader } from '../../sql/reading/sql-reader.js';
import type { RowFilters } from '../access/row-filters.js';
import type { ParameterDefinition } from '../definition.js';
import type { Environment } from '../definition-scope.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import type { Problem } from '../problem.js';
import { parseTemplate } from '../template/template.js';
import type { TemplateProblem } from '../template/template-problem.js';
import { expandVariants, type Variant, type Variants } from '../template/template-variants.js';
import { findLookups, type Lookup, type Lookups } from './lookups.js';
import { checkQuery, type ExpectedColumns, type QueryCheck } from './query-check.js';

/** A template with all its variants. The SQL of every variant has been parsed. */
export interface Query {
  readonly variants: Variants;
  /** The variants in which the author wrote a LIMIT, including the variants of `lookups`. */
  readonly limited: ReadonlySet<Variant>;
  /** The tables that the variants read, in lower case. */
  readonly tables: ReadonlySet<string>;
  /** Whether at least one variant returns the optional columns. */
  readonly hasOptional: boolean;
  /** The lookups of the query; undefined if the template has no `{% once %}`. */
  readonly lookups: QueryLookups | undefined;
  /** Names of the parameters and the values of the caller that the template and the row filters of its tables use. */
  readonly used: ReadonlySet<string>;
  /** The conditions on the rows of the tables; undefined if no table has one. */
  readonly rowFilters: RowFilters | undefined;
  readonly problems: readonly Problem[];
}

export interface QueryLookups extends Pick<Lookups, 'variants' | 'select'> {
  /** The query of each lookup. */
  readonly queries: ReadonlyMap<Lookup, Query>;
}

export interface QueryScope {
  /** The parameters that the SQL may bind. */
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** The columns that the SELECT must return; undefined if they are unknown. */
  readonly columns: ExpectedColumns | undefined;
  readonly readSqlText: SqlReader;
  readonly environment?: Environment | undefined;
  readonly rowFilters?: RowFilters | undefined;
}

/** Reads the SQL at `path` of a definition and checks all its variants. */
export function readQuery(
  source: DefinitionSource,
  path: DefinitionPath,
  sql: string,
  { parameters, columns, readSqlText, environment, rowFilters }: QueryScope,
): Query {
  const place = ({ offset, message, expected }: TemplateProblem) =>
    source.problem(path, message, { at: offset, ...(expected !== undefined && { expected }) });
  const template = parseTemplate(sql, parameters, environment);
  const noVariants = { all: [], select: rejectSelection, problems: [] };
  const { used } = template;
  if (template.problems.length > 0) {
    return {
      variants: noVariants,
      limited: new Set(),
      tables: new Set(),
      hasOptional: false,
      lookups: undefined,
      used,
      rowFilters,
      problems: template.problems.map(place),
    };
  }
  const variants = expandVariants(template, parameters);
  const check = checkQuery(variants.all, columns, readSqlText);
  const { limited, tables, hasOptional } = check;
  const lookups = check.problems.length > 0 ? undefined : findLookups(variants);
  const ofLookups = lookups && checkLookups(lookups, { columns, readSqlText, rowFilters });
  return {
    variants,
    limited: new Set([...limited, ...(ofLookups?.limited ?? [])]),
    tables,
    hasOptional,
    lookups: ofLookups,
    used: new Set([...used, ...(rowFilters?.namesOf(tables) ?? [])]),
    rowFilters,
    problems: [...variants.problems, ...check.problems, ...(ofLookups?.problems ?? [])].map(place),
  };
}

/** Checks that each lookup is a SELECT of one column, and that the query also works with a bound value instead of the lookup. */
function checkLookups(
  lookups: Lookups,
  { columns, readSqlText, rowFilters }: Pick<QueryScope, 'columns' | 'readSqlText' | 'rowFilters'>,
): QueryLookups & Pick<QueryCheck, 'limited' | 'problems'> {
  const problems: TemplateProblem[] = [];
  const queries = new Map(
    [...lookups.all].map(([lookup, at]): [Lookup, Query] => {
      const own = [lookup.variant];
      const { limited, tables, problems: found } = checkQuery(own, { names: [undefined] }, readSqlText);
      const [alone] = checkQuery(own, undefined, readSqlText).problems;
      const reason = alone === undefined ? ' contains no SELECT of one column' : `: ${alone.message}`;
      if (found.length > 0) problems.push({ offset: at, message: `{% once %}${reason}` });
      const outputs = lookup.variant.pieces.flatMap((piece) => ('output' in piece ? [piece.output] : []));
      const ofFilters = rowFilters?.namesOf(tables) ?? [];
      const used = new Set([...outputs.flatMap(({ parameter }) => parameter ?? []), ...ofFilters]);
      const variants = { all: own, select: () => lookup.variant, problems: [] };
      return [
        lookup,
        { variants, limited, tables, hasOptional: false, lookups: undefined, used, rowFilters, problems: [] },
      ];
    }),
  );
  const check = checkQuery(lookups.variants.all, columns, readSqlText);
  const [[, first = 0] = []] = lookups.all;
  const wrong = check.problems.length > 0 && lookups.misplaced.size === 0 ? [first] : lookups.misplaced;
  const message = '{% once %} is one value: write it alone in parentheses, after =, or as an item of SELECT or CAST';
  problems.push(...[...wrong].map((offset) => ({ offset, message })));
  // Such a lookup would read another table: inside the query, the name refers to the WITH query, outside to the real table.
  const hidden = [...lookups.all].filter(([lookup]) => {
    return [...(queries.get(lookup)?.tables ?? [])].some((table) => check.named.has(table));
  });
  problems.push(...hidden.map(([, offset]) => ({ offset, message: HIDDEN_TABLE })));
  return { variants: lookups.variants, select: lookups.select, queries, limited: check.limited, problems };
}

const HIDDEN_TABLE = '{% once %} reads a table whose name is also that of a WITH: rename the WITH';

function rejectSelection(): never {
  throw new Error('a query with problems cannot run');
}

import MiniSearch from 'minisearch';
import { type CompiledQuery, type Endpoint, EngineError, rawFromValues } from '../../engine/index.js';
import { guardSql, MAX_ROWS } from '../../engine/sql/guard/guard-sql.js';
import type { PublicTables } from '../../engine/sql/guard/public-table.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';

/** The query of a definition, as an example for a model. */
export interface SqlExample {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Questions that the definition answers. */
  readonly questions: readonly string[];
  /** Returns the query with the values of the definition's first example. */
  sql(now: Date): string;
}

export interface ExampleSources {
  readonly endpoints: readonly Endpoint[];
  /** Writes a query with its bound values as literals. */
  readonly toLiteralSql: (query: CompiledQuery) => string;
  readonly tables: PublicTables;
  /** Questions by definition name. Default: the questions in the definitions. */
  readonly questions?: ReadonlyMap<string, readonly string[]>;
}

/** Creates the examples of all definitions whose SQL the playground accepts. */
export function createExamples({ endpoints, toLiteralSql, tables, questions }: ExampleSources): SqlExample[] {
  return endpoints.flatMap(({ definition, parameters, readParameters, query }) => {
    const { name, summary, description = '', examples } = definition;
    try {
      const values = readParameters(rawFromValues(parameters, examples[0]?.params ?? {}));
      const sql = (now: Date) => withSmallLimit(toLiteralSql(query.compile(values, now)));
      guardSql(sql(ANY_TIME), tables);
      return [{ name, summary, description, questions: questions?.get(name) ?? definition.questions, sql }];
    } catch (error) {
      // The definition has no valid example, or reads a table that is not public.
      if (error instanceof EngineError || error instanceof SqlRejectedError) return [];
      throw error;
    }
  });
}

/** Reduces the LIMIT of the whole query, because definitions return more rows than the SQL of a model should. */
function withSmallLimit(sql: string): string {
  return sql.replace(/\bLIMIT (\d+)$/, (limit, rows: string) =>
    Number(rows) > MAX_ROWS ? `LIMIT ${MAX_ROWS}` : limit,
  );
}

/** An arbitrary time. Whether the guard accepts the SQL does not depend on the time in it. */
const ANY_TIME = new Date('2026-01-01T00:00:00Z');

interface ExampleLimits {
  /** The maximum number of examples. */
  readonly count: number;
  /** The maximum size of all examples in characters. */
  readonly characters: number;
}

/** Selects the examples that are most similar to a question, and writes them for a prompt. */
type ExampleSelection = (question: string, now: Date, limits: ExampleLimits) => string;

/** Indexes the examples. If too few examples are similar to a question, other examples are added, in their original order. */
export function createExampleSelection(examples: readonly SqlExample[]): ExampleSelection {
  const index = new MiniSearch<SqlExample>({
    idField: 'name',
    fields: ['name', 'summary', 'description', 'questions'],
    extractField: textOf,
    searchOptions: { boost: { questions: 3, summary: 2, name: 2 }, fuzzy: 0.2, prefix: (term) => term.length > 3 },
  });
  index.addAll(examples);
  return (question, now, { count, characters }) => {
    const found = index.search(question.slice(0, MAX_SEARCHED)).map(({ id }) => String(id));
    const names = new Set([...found, ...examples.map(({ name }) => name)]);
    const texts: string[] = [];
    let left = characters;
    for (const name of names) {
      const example = examples.find((candidate) => candidate.name === name);
      const text = example && writeExample(example, now);
      if (text === undefined || text.length > left) continue;
      texts.push(text);
      left -= text.length;
      if (texts.length === count) break;
    }
    return texts.join('\n\n');
  };
}

/** Only this many characters of a question are used for the search. */
const MAX_SEARCHED = 512;

function textOf(example: SqlExample, field: string): string {
  switch (field) {
    case 'questions':
      return example.questions.join('\n');
    case 'summary':
      return example.summary;
    case 'description':
      return example.description;
    default:
      return example.name;
  }
}

function writeExample({ name, summary, description, sql }: SqlExample, now: Date): string {
  // Indentation is removed, because it needs a fifth of the tokens of an example.
  const lines = sql(now).replace(/\n\s+/g, '\n');
  return `${summary} (${name}). ${description.trim()}\n\`\`\`sql\n${lines}\n\`\`\``;
}

import {
  proposeFromSelect,
  readDefinitionText,
  SelectProblemsError,
  type TableMeanings,
  type TakenNames,
  writeDefinitionText,
} from '../../engine/authoring/index.js';
import {
  createEngine,
  type Database,
  type DefinitionScope,
  deduplicateProblems,
  type PrivateData,
  type Problem,
} from '../../engine/index.js';
import type { Playground } from './playground.js';

/** A proposed definition that is not saved yet. */
export interface Draft {
  readonly name: string;
  /** The name of its file. */
  readonly file: string;
  /** The content of the file: YAML. */
  readonly text: string;
  /** Notes for the author about the proposal, one sentence each. */
  readonly notes: readonly string[];
}

export interface DraftParts {
  readonly playground: Playground;
  /** The database of the definitions. The author's SQL does not run on it. */
  readonly database: Database;
  readonly rules: DraftRules;
  /** The names and routes of the other definitions. */
  readonly taken: TakenNames;
  readonly signal: AbortSignal;
  /** The id of the author in the queue of the playground. */
  readonly caller: string;
}

/** What a definition of this service may contain. */
export interface DraftRules {
  /** Reads the meaning of the tables. */
  readonly readTables: (signal: AbortSignal) => Promise<TableMeanings>;
  readonly scope: DefinitionScope & { readonly privateData: PrivateData };
  /** The beginning of its path. */
  readonly prefix: string;
  /** Whether the service notices changes of a table. */
  readonly isVersioned: (table: string) => boolean;
}

/**
 * Writes a definition for the SQL of a playground query. Throws `SelectProblemsError`, the errors of `Playground.run`, and `EngineError` of
 * the database. The playground runs the SQL to learn its columns.
 */
export async function draftDefinition(
  sql: string,
  name: string | undefined,
  { playground, database, rules, taken, signal, caller }: DraftParts,
): Promise<Draft> {
  // This check comes first, because its errors have positions in the author's text. Later texts are changed.
  playground.check(sql);
  const proposed = await proposeFromSelect(
    { file: 'SQL', text: sql },
    {
      tables: await rules.readTables(signal),
      taken,
      choices: { named: new Map(), kept: new Set() },
      prefix: rules.prefix,
      isVersioned: rules.isVersioned,
      privateData: rules.scope.privateData,
      describe: async (text) => (await playground.run(text, { signal, caller })).columns,
      ...(name !== undefined && { name }),
    },
  );
  const file = `${proposed.name}.yaml`;
  const text = await writeDefinitionText(proposed.definition);
  const problems = await findProblems(file, text, { database, rules, signal });
  if (problems.length > 0) throw new SelectProblemsError(problems);
  return { name: proposed.name, file, text, notes: proposed.notes };
}

/** Returns the problems of a definition, including names in its SQL that the database does not know. The playground ignores their case. */
async function findProblems(
  file: string,
  text: string,
  { database, rules, signal }: Pick<DraftParts, 'database' | 'rules' | 'signal'>,
): Promise<readonly Problem[]> {
  const read = await readDefinitionText(file, text, rules.scope);
  if ('problems' in read) return read.problems;
  const engine = createEngine({ endpoints: [read.endpoint], database, stopwatch: () => performance.now() });
  await engine.lookUp({ withinMs: LOOK_UP_MS, signal });
  return deduplicateProblems(engine.broken().flatMap((broken) => broken.problems));
}

const LOOK_UP_MS = 5_000;

import {
  proposeFromSelect,
  readDefinitionText,
  SelectProblemsError,
  type TakenNames,
  writeDefinitionText,
} from '../../engine/authoring/index.js';
import { type Database, deduplicateProblems, type Problem, prepareEndpoints } from '../../engine/index.js';
import { readTableMeanings } from '../../warehouse/own-tables/table-meanings.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
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
  /** The names and routes of the other definitions. */
  readonly taken: TakenNames;
  readonly signal: AbortSignal;
  /** The id of the author in the queue of the playground. */
  readonly caller: string;
}

/**
 * Writes a definition for the SQL of a playground query. Throws `SelectProblemsError`, the errors of `Playground.run`, and `EngineError` of
 * the database. The playground runs the SQL to learn its columns.
 */
export async function draftDefinition(
  sql: string,
  name: string | undefined,
  { playground, database, taken, signal, caller }: DraftParts,
): Promise<Draft> {
  // This check comes first, because its errors have positions in the author's text. Later texts are changed.
  playground.check(sql);
  const proposed = await proposeFromSelect(
    { file: 'SQL', text: sql },
    {
      tables: await readTableMeanings(database, signal),
      taken,
      choices: { named: new Map(), kept: new Set() },
      prefix: '/v1',
      privateData: PRIVATE_DATA,
      describe: async (text) => (await playground.run(text, { signal, caller })).columns,
      ...(name !== undefined && { name }),
    },
  );
  const file = `${proposed.name}.yaml`;
  const text = await writeDefinitionText(proposed.definition);
  const problems = await findProblems(file, text, database);
  if (problems.length > 0) throw new SelectProblemsError(problems);
  return { name: proposed.name, file, text, notes: proposed.notes };
}

/** Returns the problems of a definition, including those of its SQL in the dialect of the database. */
async function findProblems(file: string, text: string, database: Database): Promise<readonly Problem[]> {
  const read = await readDefinitionText(file, text, { privateData: PRIVATE_DATA });
  if ('problems' in read) return read.problems;
  const { broken } = prepareEndpoints([read.endpoint], database);
  return deduplicateProblems([...broken.values()].flatMap(({ problems }) => problems));
}

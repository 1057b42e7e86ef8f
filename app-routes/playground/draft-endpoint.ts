import type { SelectProblemsError, TakenNames } from '../../engine/authoring/index.js';
import { exactObject } from '../../engine/http/json-schema.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import type { Operation } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import type { Database, LiveState, Problem } from '../../engine/index.js';
import type { Playground } from '../../explorer/playground/playground.js';
import { sqlProblem } from './run-sql.js';

export interface DraftOperationParts {
  readonly playground: Playground;
  readonly database: Database;
  /** Returns the definitions that are served now. */
  readonly definitions: () => LiveState;
}

/** `POST /console/drafts/` returns a definition file for SQL of the playground. The operation does not store the file. */
export function draftOperation({ playground, database, definitions }: DraftOperationParts): Operation {
  return {
    access: 'open',
    tag: 'Console',
    id: 'draft-definition',
    method: 'post',
    path: '/console/drafts/',
    summary: 'Writes a definition file for a SELECT',
    description:
      'The SELECT has the rules of the playground, which runs it to learn its columns. The answer is the text of a file; ' +
      'the service stores nothing. Literals that callers would choose become parameters.',
    limit: 'playground',
    body: requestSchema('draft'),
    answer: DRAFT,
    errors: ['sql_refused', 'sql_failed', ...DATABASE_ERRORS],
    handle: async ({ body, signal, http }) => {
      const { sql, name } = body as { readonly sql: string; readonly name?: string };
      const taken = takenNames(definitions());
      if (name !== undefined && taken.names.has(name)) throw takenProblem(name);
      const caller = clientAddress(http);
      const { draftDefinition } = await import('../../explorer/playground/draft-definition.js');
      const { SelectProblemsError } = await import('../../engine/authoring/index.js');
      const drafting = draftDefinition(sql, name, { playground, database, taken, signal, caller });
      return {
        body: await drafting.catch((error: unknown) => {
          throw error instanceof SelectProblemsError ? proposalProblem(error) : sqlProblem(error, sql);
        }),
      };
    },
  };
}

function takenNames({ endpoints, broken }: LiveState): TakenNames {
  const all = [...endpoints.map(({ definition }) => definition), ...broken];
  return {
    names: new Set(all.flatMap(({ name }) => name ?? [])),
    routes: all.flatMap(({ path }) => path ?? []),
  };
}

function takenProblem(name: string): HttpProblem {
  const fault = { pointer: '/name', expected: 'a name that no definition has', got: `"${name}"` };
  const message = `name must be ${fault.expected}, got ${fault.got}`;
  return new HttpProblem('bad_body', message, { errors: [{ ...fault, message }] });
}

function proposalProblem({ problems }: SelectProblemsError): HttpProblem {
  const errors = problems.map(({ message: reason, line, column }) => ({ reason, line, column }));
  return new HttpProblem('sql_refused', problems.map(describe).join('; '), { errors });
}

function describe({ line, column, message }: Problem): string {
  return `line ${line}, column ${column}: ${message}`;
}

const TEXT = { type: 'string' };

const DRAFT = exactObject('DefinitionDraft', {
  name: { ...TEXT, description: 'The name of the endpoint.' },
  file: { ...TEXT, description: 'The name of the file.' },
  text: { ...TEXT, description: 'The content of the file: YAML.' },
  notes: { type: 'array', items: TEXT, description: 'What the author should know about the proposal.' },
});

import { exactObject } from '../../engine/http/json-schema.js';
import type { OpenOperation } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../../engine/http/problems/http-problem.js';
import type { Database } from '../../engine/index.js';
import { MAX_FOUND, type NameSearch } from '../../warehouse/search.js';
import { KEYWORD } from '../lookups.js';
import type { ConsoleSearch } from './answers.js';

/** `GET /console/search/?q=` returns the names in the tables that match a text best. The search sends no request to GitHub. */
export function searchOperation(database: Database, names: NameSearch): OpenOperation {
  const query = database.prepare(COLLECTIONS);
  const findCollections = async (text: string, signal: AbortSignal) => {
    const options = { maxRows: MAX_FOUND, timeoutMs: TIMEOUT_MS, signal };
    const { rows } = await database.query(query, [text.trim().toLowerCase()], options);
    return rows.map(([id, name]) => ({ id: Number(id), name: String(name) }));
  };
  return {
    access: 'open',
    tag: 'Console',
    id: 'console-search',
    method: 'get',
    path: '/console/search/',
    limit: 'lookup',
    summary: 'Returns the repositories, people, organizations and collections whose names match a text best',
    description:
      'At most ten of each kind. Equal names come first, then names that begin with the text, then popular names that contain it. ' +
      'Matching ignores case.',
    parameters: { q: TEXT },
    answer: ANSWER,
    errors: DATABASE_ERRORS,
    handle: async ({ parameters, signal }) => {
      const text = String(parameters.q);
      const [repositories, people, organizations, collections] = await Promise.all([
        names.repositories(text, signal),
        names.users(text, signal),
        names.organizations(text, signal),
        findCollections(text, signal),
      ]);
      return { body: { repositories, people, organizations, collections } satisfies ConsoleSearch };
    },
  };
}

const TIMEOUT_MS = 2_000;

const COLLECTIONS = `SELECT id, name FROM collections
WHERE public = 1 AND POSITION(:p1 IN LOWER(name)) > 0
ORDER BY POSITION(:p1 IN LOWER(name)), name, id
LIMIT ${MAX_FOUND}`;

const TEXT = {
  ...KEYWORD,
  description: 'A part of a name. For repositories also `owner/` and the beginning of a name.',
};

const ID = { type: 'integer' };
const NAME = { type: 'string' };
const ACCOUNT = exactObject('ConsoleFoundAccount', { id: ID, login: NAME });
const ANSWER = exactObject('ConsoleSearch', {
  repositories: { type: 'array', items: exactObject('ConsoleFoundRepository', { id: ID, fullName: NAME }) },
  people: { type: 'array', items: ACCOUNT },
  organizations: { type: 'array', items: ACCOUNT },
  collections: { type: 'array', items: exactObject('ConsoleFoundCollection', { id: ID, name: NAME }) },
});

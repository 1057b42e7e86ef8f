import type { Cell, Database } from '../engine/index.js';
import { DATABASE_ERRORS } from './http-problem.js';
import type { JsonSchema, OpenOperation } from './operation.js';

/** `/qo/repos/groups/osdb/`: the repositories of databases, in their groups. */
export function osdbGroupsOperation(database: Database): OpenOperation {
  const query = database.prepare(SELECT);
  return {
    access: 'open',
    tag: 'Queries',
    id: 'osdb-repository-groups',
    method: 'get',
    path: '/qo/repos/groups/osdb/',
    summary: 'The repositories of open-source databases, by group',
    answer: { type: 'array', items: GROUP },
    errors: DATABASE_ERRORS,
    handle: async ({ signal }) => {
      const { rows, more } = await database.query(query, [], { ...LIMITS, signal });
      if (more) throw new Error(`More than ${LIMITS.maxRows} repositories of databases are known.`);
      return { body: grouped(rows) };
    },
  };
}

const SELECT = 'SELECT group_name, id, name FROM osdb_repos ORDER BY group_name, name, id';
const LIMITS = { maxRows: 10_000, timeoutMs: 5_000 };

interface Group {
  readonly group_name: string;
  readonly repos: { readonly id: number; readonly name: string; readonly group_name: string }[];
}

function grouped(rows: readonly (readonly Cell[])[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [group, id, name] of rows) {
    const group_name = String(group);
    const known = groups.get(group_name) ?? { group_name, repos: [] };
    known.repos.push({ id: Number(id), name: String(name), group_name });
    groups.set(group_name, known);
  }
  return [...groups.values()];
}

const GROUP: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['group_name', 'repos'],
  properties: {
    group_name: { type: 'string' },
    repos: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'name', 'group_name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' }, group_name: { type: 'string' } },
      },
    },
  },
};

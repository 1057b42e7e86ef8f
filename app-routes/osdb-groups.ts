import { readStateRows } from '../accounts/state-reads.js';
import { exactObject } from '../engine/http/json-schema.js';
import type { OpenOperation } from '../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../engine/http/problems/http-problem.js';
import type { Cell, Database } from '../engine/index.js';

/** `/qo/repos/groups/osdb/` lists the repositories of open-source databases by group. */
export function osdbGroupsOperation(database: Database): OpenOperation {
  return {
    access: 'open',
    tag: 'Queries',
    id: 'osdb-repository-groups',
    method: 'get',
    path: '/qo/repos/groups/osdb/',
    summary: 'Lists the repositories of open-source databases by group',
    answer: { type: 'array', items: GROUP },
    errors: DATABASE_ERRORS,
    handle: async ({ signal }) => ({ body: groupRows(await readStateRows(database, SELECT, [], signal)) }),
  };
}

const SELECT = 'SELECT group_name, id, name FROM osdb_repos ORDER BY group_name, name, id';

interface Group {
  readonly group_name: string;
  readonly repos: { readonly id: number; readonly name: string; readonly group_name: string }[];
}

function groupRows(rows: readonly (readonly Cell[])[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [group, id, name] of rows) {
    const group_name = String(group);
    const target = groups.get(group_name) ?? { group_name, repos: [] };
    target.repos.push({ id: Number(id), name: String(name), group_name });
    groups.set(group_name, target);
  }
  return [...groups.values()];
}

const STRING = { type: 'string' };
const REPOSITORY = exactObject('OsdbRepository', { id: { type: 'integer' }, name: STRING, group_name: STRING });
const GROUP = exactObject('OsdbGroup', {
  group_name: STRING,
  repos: { type: 'array', items: REPOSITORY },
});

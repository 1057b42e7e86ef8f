import type { HostAnswer, HostCall } from './host-server.js';

/** A record of the platform, by its id, with the name by which it is known there now. */
export interface PlatformRecord {
  readonly id: number;
  readonly name: string;
  /** As GraphQL has it. */
  readonly node: Readonly<Record<string, unknown>>;
}

/**
 * Answers queries of aliases `r0: field(name: $name0) {…}` and requests by id, as the platform does: what is not there is null
 * with an error. A repository is known by `owner/name`.
 */
export function answerFrom(records: readonly PlatformRecord[]): (call: HostCall) => HostAnswer {
  return ({ path, body }) => {
    if (path === '/graphql') return graphql(records, body as { variables: Record<string, string> });
    const id = Number(/^\/(?:user|repositories)\/(\d+)$/.exec(path)?.[1]);
    const record = records.find((one) => one.id === id);
    return record === undefined ? { status: 404, body: { message: 'Not Found' } } : { body: rest(record) };
  };
}

function graphql(records: readonly PlatformRecord[], { variables }: { variables: Record<string, string> }): HostAnswer {
  const data: Record<string, unknown> = {};
  const errors: unknown[] = [];
  for (let index = 0; `login${index}` in variables || `owner${index}` in variables; index++) {
    const wanted = variables[`login${index}`] ?? `${variables[`owner${index}`]}/${variables[`name${index}`]}`;
    const record = records.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    data[`r${index}`] = record === undefined ? null : { databaseId: record.id, ...record.node };
    if (record === undefined) errors.push({ type: 'NOT_FOUND', path: [`r${index}`], message: 'Could not resolve' });
  }
  return { body: errors.length === 0 ? { data } : { data, errors } };
}

function rest({ id, name, node }: PlatformRecord): unknown {
  if (!name.includes('/')) {
    const { __typename: type, name: shown, company, location, createdAt } = node;
    return {
      id,
      login: name,
      type,
      name: shown,
      company,
      location,
      followers: 5,
      following: 6,
      public_repos: 7,
      created_at: createdAt,
    };
  }
  const [owner = ''] = name.split('/');
  return {
    id,
    full_name: name,
    owner: { id: 900, login: owner, type: 'User' },
    stargazers_count: 77,
    created_at: node.createdAt,
  };
}

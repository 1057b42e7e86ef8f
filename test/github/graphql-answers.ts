import type { GitHubAnswer, GitHubCall } from './github-server.js';

/** A record on the simulated GitHub, with its current name. */
export interface GitHubRecord {
  readonly id: number;
  readonly name: string;
  /** The fields of the record in GraphQL responses. */
  readonly node: Readonly<Record<string, unknown>>;
}

/**
 * Answers queries with aliases `r0: field(name: $name0) {…}` and REST requests by id like GitHub: a missing record is
 * null with an error. The name of a repository is `owner/name`.
 */
export function answerFromRecords(records: readonly GitHubRecord[]): (call: GitHubCall) => GitHubAnswer {
  return ({ path, body }) => {
    if (path === '/graphql') return answerGraphql(records, body as { variables: Record<string, string> });
    const id = Number(/^\/(?:user|repositories)\/(\d+)$/.exec(path)?.[1]);
    const record = records.find((one) => one.id === id);
    return record === undefined ? { status: 404, body: { message: 'Not Found' } } : { body: toRestRecord(record) };
  };
}

function answerGraphql(
  records: readonly GitHubRecord[],
  { variables }: { variables: Record<string, string> },
): GitHubAnswer {
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

function toRestRecord({ id, name, node }: GitHubRecord): unknown {
  if (!name.includes('/')) {
    const { __typename: type, name: displayName, company, location, createdAt } = node;
    return {
      id,
      login: name,
      type,
      name: displayName,
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

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Timeouts } from '../../server/settings/timeouts.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';

/** A definition that returns collections from an id on, and whose answers are always exact. */
export const NAMES = definition('names', {
  params: '  least: { in: query, type: integer, default: 0, description: The least id }\n',
  sql: 'SELECT c.id AS id, c.name AS name FROM collections c WHERE c.id >= {{ least }} ORDER BY c.id',
});

/** The same definition, but after a commit it may return the answer of the previous version. */
export const LENIENT = definition('lenient', {
  more: 'serve_stale: 10m\n',
  sql: 'SELECT c.id AS id, c.name AS name FROM collections c ORDER BY c.id',
});

export interface DefinitionParts {
  readonly sql: string;
  readonly params?: string;
  readonly more?: string;
}

/** Writes a definition with the columns `id` and `name`. The definition is served at `/v1/cached/<name>/`. */
export function definition(name: string, { sql, params = '', more = '' }: DefinitionParts): string {
  return `name: ${name}
path: /v1/cached/${name}/
summary: Test of the cache with ${name}
${params === '' ? '' : `params:\n${params}`}columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: name, data_type: VARCHAR, nullable: false, description: Name }
${more}data_as_of: SELECT MAX(e.created_at) FROM github_events e
sql: |
  ${sql}
`;
}

export interface CachedService extends DemoService {
  /** Sends a GET request and returns the parts of the answer that depend on the cache. */
  ask(path: string, init?: RequestInit): Promise<CachedAnswer>;
  /** Changes the name of a collection. */
  rename(id: number, name: string): Promise<void>;
}

export interface CachedAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: Body;
  /** The outcome of the cache, for example `hit; detail=memory`. */
  readonly cache: string | null;
  readonly headers: Headers;
}

interface Body {
  readonly data: {
    readonly rows: readonly { readonly id: string; readonly name: string }[];
    readonly result: {
      readonly stale: boolean;
      readonly age_ms: number | null;
      readonly end_ms: number;
      readonly notices: readonly string[];
    };
  };
}

/** Starts a service with only these definitions. */
export async function startCachedService(
  definitions: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  timeouts: Partial<Timeouts> = {},
): Promise<CachedService> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-definitions-'));
  await Promise.all(definitions.map((text, index) => writeFile(join(folder, `${index}.yaml`), text)));
  const demo = await startDemoService({ ENDPOINTS_DIR: folder, VERSION_POLL_MS: '50', ...environment }, { timeouts });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await demo.get(path, init);
    const text = await response.text();
    const cache = response.headers.get('cache-status')?.replace('repo-insight; ', '') ?? null;
    return { status: response.status, text, body: JSON.parse(text) as Body, cache, headers: response.headers };
  };
  const rename = (id: number, name: string) =>
    demo.store.write((tables) => tables.run('UPDATE collections SET name = :p1 WHERE id = :p2', [name, id]));
  const close = async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  };
  return { ...demo, ask, rename, close };
}

/** Returns the name of the collection with this id in an answer. */
export function nameOf({ body }: CachedAnswer, id: number): string | undefined {
  return body.data.rows.find((row) => row.id === String(id))?.name;
}

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DemoService } from '../service/demo-service.js';

/** A definitions folder for one test. */
export interface OwnFolder {
  readonly path: string;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Removes all files. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function createOwnFolder(): Promise<OwnFolder> {
  const path = await mkdtemp(join(tmpdir(), 'definitions-'));
  const remove = (name: string) => rm(join(path, name), { recursive: true });
  return {
    path,
    write: async (name, text) => {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    },
    remove,
    clear: async () => {
      for (const name of await readdir(path)) await remove(name);
    },
    close: () => rm(path, { recursive: true }),
  };
}

/** Returns a definition that answers with its version in both columns. */
export function versionOf(
  name: string,
  version: number,
  { path = `/v1/live/${name}/`, more = '', table = '(SELECT 1 AS n) one' } = {},
): string {
  return `name: ${name}
path: ${path}
summary: Version ${version}
columns:
  - { col: version, data_type: BIGINT, nullable: false, description: Version }
  - { col: again, data_type: BIGINT, nullable: false, description: The same }
sql: SELECT ${version} AS version, ${version} AS again FROM ${table}
${more}`;
}

/**
 * Removes the definitions and canaries of earlier tests from the service, and serves one file. The folder must not be empty, because the
 * service ignores an empty folder.
 */
export async function serveOnly(
  { clear, write }: OwnFolder,
  { service: { definitions } }: DemoService,
  name: string,
  text: string,
): Promise<void> {
  for (const [file, content] of [
    ['between.yaml', versionOf('between', 1)],
    [name, text],
  ] as const) {
    await clear();
    await write(file, content);
    await definitions.reload();
  }
}

/** The part of an answer that a client sees: the version, or the status of an error. */
export interface Seen {
  readonly status: number;
  readonly version?: string;
  /** Whether the answer states that it is from an earlier version of the file. */
  readonly isOutdated?: boolean;
}

export async function see(url: string, path: string): Promise<Seen> {
  const response = await fetch(url + path);
  const { status } = response;
  if (status !== 200) {
    await response.arrayBuffer();
    return { status };
  }
  const { data } = (await response.json()) as { data: { rows: readonly { version: string; again: string }[] } };
  const [row] = data.rows;
  if (row === undefined || row.version !== row.again) throw new Error(`mixed answer: ${JSON.stringify(data.rows)}`);
  return { status, version: row.version, isOutdated: response.headers.has('X-Definition-Outdated') };
}

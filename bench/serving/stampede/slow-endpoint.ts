import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A word that occurs only in the main query of the slow endpoint, to identify the query in the log of the database. */
export const MARK = 'slow_pairs';

/** A query that compares pairs of days. The query takes about two seconds, and reads a table that has the same rows in every database. */
const DEFINITION = `name: slow-answer
path: /v1/slow/{seed}/
summary: An answer that takes long
params:
  seed: { in: path, type: integer, minimum: 0, maximum: 1000000, description: Makes requests different, example: 1 }
columns:
  - { col: ${MARK}, data_type: BIGINT, nullable: false, description: Number of pairs }
sql: |
  SELECT COUNT(*) AS ${MARK}
  FROM (SELECT day FROM calendar_days ORDER BY day LIMIT 4500) a
  CROSS JOIN (SELECT day FROM calendar_days ORDER BY day LIMIT 4500) b
  WHERE MOD(YEAR(a.day) * 31 + YEAR(b.day) + {{ seed }}, 7) = 3
`;

/** Writes a folder of definitions that contains only the slow endpoint. Returns the folder. */
export async function writeSlowEndpoint(folder: string): Promise<string> {
  const endpoints = join(folder, 'endpoints');
  await mkdir(endpoints);
  await writeFile(join(endpoints, 'slow-answer.yaml'), DEFINITION);
  return endpoints;
}

export function slowPath(seed: number): string {
  return `/v1/slow/${seed}/`;
}

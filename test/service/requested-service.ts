import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFINITIONS_FOLDER } from '../../engine/http/package-root.js';
import { type DemoService, shareDemo, startDemoService, waitForPlayground } from './demo-service.js';

/**
 * Returns the service that the suites with generated requests of a process share. It has the built-in definitions, and a definition with
 * every kind of parameter. The requests can create users and questions, so other suites must not use it.
 */
export const useRequestedDemo = shareDemo(start);

async function start(): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
  await cp(DEFINITIONS_FOLDER, folder, { recursive: true });
  await writeFile(join(folder, 'every-kind.yaml'), EVERY_KIND);
  const demo = await startDemoService({ ENDPOINTS_DIR: folder });
  await waitForPlayground(demo);
  const close = async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  };
  return { ...demo, close };
}

const EVERY_KIND = `name: every-kind
path: /v1/every-kind/{code}/
summary: A parameter of every kind
params:
  code: { in: path, type: string, pattern: "^[a-c]+$", description: Letters }
  short: { in: query, type: string, minLength: 2, maxLength: 5, required: true, description: Text }
  free: { in: query, type: string, description: Any text }
  any: { in: query, type: string, pattern: "b", description: Text with a b }
  whole: { in: query, type: integer, minimum: -5, maximum: 100, description: Whole }
  big: { in: query, type: integer, description: Any integer }
  share: { in: query, type: number, minimum: -1, maximum: 1.5, description: Share }
  real: { in: query, type: number, description: Any number }
  sure: { in: query, type: boolean, description: Yes or no }
  first: { in: query, type: string, format: date, notAfter: last, description: First day }
  last: { in: query, type: string, format: date, default: "2020-01-01", description: Last day }
  kind: { in: query, enum: [rye, wheat, C++], description: Kind }
  size: { in: query, enum: [1, 2, 3], description: Size }
  list: { in: query, type: array, minItems: 2, maxItems: 3, default: [1, 2], items: { type: integer, minimum: 1 }, description: List }
  names: { in: query, type: array, maxItems: 4, default: [rye], items: { type: string, maxLength: 9 }, description: Names }
columns:
  - { col: n, data_type: BIGINT, nullable: false, description: A number }
sql: |
  SELECT COUNT(*) AS n FROM github_repos r
  WHERE r.repo_name IN ({{ code }}, {{ short }}, {{ free }}, {{ any }}, {{ kind }})
    AND r.repo_id IN ({{ list }}) AND r.owner_login IN ({{ names }})
    AND r.stars < {{ whole }} AND r.repo_id < {{ big }} AND r.forks < {{ size }}
    AND r.size < {{ share }} AND r.stars < {{ real }} AND r.is_fork = {{ sure }}
    AND r.created_at BETWEEN {{ first }} AND {{ last }}
examples:
  - { name: one, params: { code: a, short: ab } }
`;

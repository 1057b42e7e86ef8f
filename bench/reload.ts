import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../test/services/eventually.js';
import { createDemo, demoSettings } from './demo-service.js';
import { writeDefinitions } from './many-definitions.js';
import type { Figure } from './measure.js';
import { startService } from './serving/service.js';

const EVENTS = 20_000;
const SAVES = 200;
/** The numbers of definitions, each with the target for the 95th percentile in milliseconds. */
const FOLDERS = [
  { definitions: 18, target: 300 },
  { definitions: 1_000, target: 600 },
];

/** Measures the time from saving a definition file to the first answer of the new version, with `serve --watch`. */
export async function benchReload(folder: string, log: (text: string) => void): Promise<Figure[]> {
  const data = join(folder, 'data');
  await mkdir(data);
  await createDemo(demoSettings(data), EVENTS);
  const figures: Figure[] = [];
  for (const { definitions, target } of FOLDERS) {
    log(`${SAVES} saves with ${definitions} definitions`);
    const endpoints = join(folder, `endpoints-${definitions}`);
    await writeDefinitions(endpoints, definitions);
    const times = (await measureSaves(data, endpoints)).sort((one, other) => one - other);
    const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
    figures.push({
      name: `save to served, ${definitions} definitions, p95`,
      value: at(0.95),
      unit: 'ms',
      target,
      bound: 'at most',
      detail: `${SAVES} saves: median ${at(0.5).toFixed(0)} ms, slowest ${at(1).toFixed(0)} ms`,
    });
  }
  return figures;
}

async function measureSaves(data: string, endpoints: string): Promise<number[]> {
  const file = join(endpoints, 'saved.yaml');
  await writeFile(file, definitionOf(0));
  const service = await startService(data, { ENDPOINTS_DIR: endpoints }, ['--watch']);
  try {
    const times: number[] = [];
    for (let version = 1; version <= SAVES; version += 1) {
      await writeFile(file, definitionOf(version));
      const saved = performance.now();
      await eventually(async () => (await versionServed(service.url)) === version);
      times.push(performance.now() - saved);
    }
    return times;
  } finally {
    await service.stop();
  }
}

async function versionServed(url: string): Promise<number> {
  const response = await fetch(`${url}/v1/saved/`);
  const { data } = (await response.json()) as { data: { rows: readonly { version: string }[] } };
  return Number(data.rows[0]?.version);
}

/** Returns a definition of usual size, whose answer is its version. */
function definitionOf(version: number): string {
  return `name: saved
path: /v1/saved/
summary: A definition that is saved often
params:
  language: { in: query, type: string, default: Go, description: Language }
  order: { in: query, enum: [stars, name], default: stars, description: Order }
columns:
  - { col: version, data_type: BIGINT, nullable: false, description: Version }
  - { col: repos, data_type: BIGINT, nullable: false, description: Repositories }
sql: |
  SELECT ${version} AS version, COUNT(*) AS repos
  FROM github_repos r
  WHERE r.primary_language = {{ language }}
  {% case order %}{% when 'stars' %}AND r.stars >= 0{% when 'name' %}AND r.repo_name <> ''{% endcase %}
`;
}

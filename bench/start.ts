import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFINITIONS_FOLDER } from '../engine/http/package-root.js';
import { startServer } from './child.js';
import { createDemo, demoSettings, NOW } from './demo-service.js';
import { writeDefinitions } from './many-definitions.js';
import { alternate, type Figure, median } from './measure.js';

const DEFINITIONS = 1_000;
const EVENTS = 20_000;
const ROUNDS = 5;
const TARGET_SECONDS = 2;

/**
 * Measures how much longer the start takes with a thousand definitions than with the definitions of the service. The benchmark `serving`
 * measures the CPU time of a start and the memory of the idle service.
 */
export async function benchStart(folder: string, log: (text: string) => void): Promise<Figure[]> {
  const data = join(folder, 'data');
  const many = join(folder, 'endpoints');
  await mkdir(data);
  await createDemo(demoSettings(data), EVENTS);
  const own = DEFINITIONS_FOLDER;
  await writeDefinitions(many, DEFINITIONS);
  log(`${ROUNDS} rounds of starting with the service's definitions and with ${DEFINITIONS}`);
  const seconds = await alternate(ROUNDS, { few: () => startOf(data, own), many: () => startOf(data, many) });
  const [few, thousand] = [median(seconds.few), median(seconds.many)];
  return [
    {
      name: `start with ${DEFINITIONS} definitions, additional time`,
      value: thousand - few,
      unit: 's',
      target: TARGET_SECONDS,
      bound: 'at most',
      detail: `${thousand.toFixed(2)} s against ${few.toFixed(2)} s, medians of ${ROUNDS}`,
    },
  ];
}

async function startOf(data: string, endpoints: string): Promise<number> {
  const started = performance.now();
  const server = await startServer('own-server', [`DATA_DIR=${data}`, `NOW=${NOW}`, `ENDPOINTS_DIR=${endpoints}`]);
  const seconds = (performance.now() - started) / 1000;
  await server.stop();
  return seconds;
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demoSettings } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { createWorld, timeOf } from './world.js';

const SMALL = 1_000_000;
const LARGE = 10_000_000;
const ROUNDS = 40;
const TARGET = 3;

/**
 * Measures each operation with one and with ten million events; the larger demo also has ten times as many repositories
 * and users. The answers have equal sizes, so a longer time means that the cost of the operation grows with the number
 * of events.
 */
export async function benchGrowth(folder: string, log: (text: string) => void): Promise<Figure[]> {
  const make = async (name: string, events: number) => {
    log(`creating a demo of ${events} events`);
    await mkdir(join(folder, name));
    return createWorld(demoSettings(join(folder, name)), events);
  };
  const small = await make('small', SMALL);
  const large = await make('large', LARGE);
  try {
    const figures: Figure[] = [];
    for (const { definition } of small.engine.endpoints) {
      const times = await alternate(ROUNDS, {
        small: () => timeOf(small, definition.name),
        large: () => timeOf(large, definition.name),
      });
      const [before, after] = [median(times.small), median(times.large)];
      const detail = `p50 ${after.toFixed(2)} ms against ${before.toFixed(2)} ms`;
      figures.push({
        name: `growth: ${definition.name}`,
        value: after / before,
        unit: '×',
        target: TARGET,
        bound: 'at most',
        detail,
      });
    }
    return figures;
  } finally {
    await Promise.all([small.warehouse.close(), large.warehouse.close()]);
  }
}

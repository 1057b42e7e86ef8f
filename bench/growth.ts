import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demoSettings } from './demo-service.js';
import { type Figure, inTurn, median } from './measure.js';
import { makeWorld, timeOf } from './world.js';

const SMALL = 1_000_000;
const LARGE = 10_000_000;
const ROUNDS = 40;
const BAR = 3;

/**
 * Each operation in a world of one and of ten million events, the larger with ten times as many repositories and people:
 * a cost that grows with the answer stays, one that grows with history shows.
 */
export async function benchGrowth(folder: string, say: (text: string) => void): Promise<Figure[]> {
  const make = async (name: string, events: number) => {
    say(`making a demo of ${events} events`);
    await mkdir(join(folder, name));
    return makeWorld(demoSettings(join(folder, name)), events);
  };
  const small = await make('small', SMALL);
  const large = await make('large', LARGE);
  try {
    const figures: Figure[] = [];
    for (const { definition } of small.engine.endpoints) {
      const times = await inTurn(ROUNDS, {
        small: () => timeOf(small, definition.name),
        large: () => timeOf(large, definition.name),
      });
      const [before, after] = [median(times.small), median(times.large)];
      const detail = `p50 ${after.toFixed(2)} ms against ${before.toFixed(2)} ms`;
      figures.push({
        name: `growth: ${definition.name}`,
        value: after / before,
        unit: '×',
        bar: BAR,
        keeps: 'at most',
        detail,
      });
    }
    return figures;
  } finally {
    await Promise.all([small.warehouse.close(), large.warehouse.close()]);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, median } from '../measure.js';
import { usageOfTree } from '../process-usage.js';
import type { RowContext } from './context.js';
import { startService } from './service.js';

const ROUNDS = 5;
/** The time within which background work after the start ends. */
const IDLE_MS = 10_000;

/** Measures the CPU time until the service listens, and its memory without requests, both including child processes. */
export async function measureStartUp({ log, isQuick, embeddedDemo }: RowContext): Promise<Figure[]> {
  const { folder, settings } = await embeddedDemo();
  const rounds = isQuick ? 2 : ROUNDS;
  log(`${rounds} starts`);
  const starts: { readonly seconds: number; readonly cpuSeconds: number; readonly megabytes: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const service = await startService(folder, settings);
    const seconds = (performance.now() - started) / 1000;
    const { cpuSeconds } = usageOfTree(service.pid);
    await pause(isQuick ? 1_000 : IDLE_MS);
    const { megabytes } = usageOfTree(service.pid);
    await service.stop();
    starts.push({ seconds, cpuSeconds, megabytes });
  }
  const seconds = median(starts.map((start) => start.seconds));
  const cpuSeconds = median(starts.map((start) => start.cpuSeconds));
  const megabytes = median(starts.map((start) => start.megabytes));
  const shared = { bound: 'at most', measured: { seconds, cpuSeconds, megabytes } } as const;
  const detail = `median of ${rounds}; ${seconds.toFixed(2)} s until it listens`;
  return [
    { ...shared, name: 'start, CPU time', value: cpuSeconds, unit: 's', target: 2.5, detail },
    {
      ...shared,
      name: 'idle memory',
      value: megabytes,
      unit: 'MB',
      target: 250,
      detail: `median of ${rounds}; all processes, ${IDLE_MS / 1000} s after the start`,
    },
  ];
}

import { once } from 'node:events';
import autocannon from 'autocannon';

/** Measures the 95th percentile of the response times for one client, in milliseconds. */
export async function percentile95(url: string, seconds: number): Promise<number> {
  const times: number[] = [];
  const running = autocannon({ url, connections: 1, duration: seconds }, () => undefined);
  running.on('response', (_client, status, _bytes, ms) => times.push(status === 200 ? ms : Number.NaN));
  await once(running, 'done');
  if (times.some(Number.isNaN)) throw new Error(`${url} answered errors`);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

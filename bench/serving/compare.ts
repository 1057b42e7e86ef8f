import { alternate, type Figure, median } from '../measure.js';
import { cpuSecondsOf } from '../process-usage.js';
import { describeAnswer, type RawAnswer } from './load/answer-reader.js';
import { applyLoad, percentile } from './load/load.js';

/** A server under load. */
export interface Contestant {
  readonly url: string;
  readonly pid: number;
  /** Other processes that work for this server, such as a database server. */
  readonly otherPids?: readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly nextPath: () => string;
  /** The expected status of every answer. Default 200. */
  readonly status?: number;
  /** Throws an error for an answer that would make the measurement invalid. */
  readonly check?: (answer: RawAnswer) => void;
}

export interface Comparison {
  readonly name: string;
  /** The minimum ratio of the service's requests per second to those of the reference. */
  readonly target: number;
  readonly isQuick: boolean;
  /** A text that precedes the measured rates in `Figure.detail`. */
  readonly note?: string;
}

export interface Rate {
  readonly perSecond: number;
  /** The CPU time of the server per request, in microseconds. */
  readonly cpuPerRequest: number;
  /** The 99th percentile of the response times, in milliseconds. */
  readonly p99: number;
}

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 8;

/** Returns how often a contestant is measured, and how long. */
export function roundsOf(isQuick: boolean): { readonly rounds: number; readonly seconds: number } {
  return isQuick ? { rounds: 1, seconds: 0.5 } : { rounds: ROUNDS, seconds: SECONDS };
}

/** Measures two running servers alternately. */
export async function compareServers(comparison: Comparison, ours: Contestant, reference: Contestant): Promise<Figure> {
  const { rounds, seconds } = roundsOf(comparison.isQuick);
  // Warm-up: in the first round, both servers compile their code.
  for (const contestant of [ours, reference]) await rateOf(contestant, seconds);
  const rates = await alternate(rounds, {
    reference: () => rateOf(reference, seconds),
    ours: () => rateOf(ours, seconds),
  });
  return rateFigure(comparison, rates.ours, rates.reference);
}

/** Measures a server. Throws if an answer has an unexpected status. */
export async function rateOf(contestant: Contestant, seconds: number): Promise<Rate> {
  const { url, nextPath, headers = {}, status = 200, check } = contestant;
  const pids = [contestant.pid, ...(contestant.otherPids ?? [])];
  const cpuSeconds = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  let unexpected = '';
  const before = cpuSeconds();
  const report = await applyLoad({
    ...{ url, nextPath, headers, seconds, connections: CONNECTIONS },
    onAnswer: (answer) => {
      if (answer.status !== status) unexpected = describeAnswer(answer);
      check?.(answer);
    },
  });
  const cpu = cpuSeconds() - before;
  if (unexpected !== '') throw new Error(`${url} did not answer ${status}: ${unexpected}`);
  if (report.failed > 0) throw new Error(`${url} failed: ${report.firstFailure}`);
  return {
    perSecond: report.perSecond,
    cpuPerRequest: (cpu / report.requests) * 1e6,
    p99: percentile(report, 0.99),
  };
}

/** Describes the rounds of both servers: the ratio of their requests per second, and the ratio of their CPU times. */
export function rateFigure(
  { name, target, note }: Comparison,
  ours: readonly Rate[],
  reference: readonly Rate[],
): Figure {
  const measured = {
    perSecond: medianOf(ours, 'perSecond'),
    referencePerSecond: medianOf(reference, 'perSecond'),
    cpuMicroseconds: medianOf(ours, 'cpuPerRequest'),
    referenceCpuMicroseconds: medianOf(reference, 'cpuPerRequest'),
    p99Ms: medianOf(ours, 'p99'),
    referenceP99Ms: medianOf(reference, 'p99'),
  };
  const { perSecond, referencePerSecond, cpuMicroseconds, referenceCpuMicroseconds } = measured;
  const cpuRatio = referenceCpuMicroseconds / cpuMicroseconds;
  const detail = [
    ...(note === undefined ? [] : [note]),
    `${Math.round(perSecond)} against ${Math.round(referencePerSecond)} requests per second`,
    `CPU ${Math.round(cpuMicroseconds)} against ${Math.round(referenceCpuMicroseconds)} µs (${cpuRatio.toFixed(2)} ×)`,
  ].join('; ');
  const value = perSecond / referencePerSecond;
  return { name, value, unit: '×', target, bound: 'at least', detail, measured: { ...measured, cpuRatio } };
}

/** Returns the figure for a row that cannot be measured, with the reason. The figure does not meet its target. */
export function notMeasured(name: string, target: number, reason: string): Figure {
  return { name, value: Number.NaN, unit: '×', target, bound: 'at least', detail: `not measured: ${reason}` };
}

function medianOf(rates: readonly Rate[], field: keyof Rate): number {
  return median(rates.map((rate) => rate[field]));
}

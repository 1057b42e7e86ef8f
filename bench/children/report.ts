/** What a child process prints as JSON about its work. */
export interface UsageReport {
  readonly seconds: number;
  /** CPU time of all threads of the process. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Runs the work and prints a `UsageReport`. */
export async function reportUsage(work: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  // Linux reports the peak in kilobytes.
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const report: UsageReport = { seconds, cpuSeconds: (user + system) / 1e6, peakMegabytes };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Runs the work and prints its duration and the peak memory of this process: `{"seconds": …, "peakMegabytes": …}`. */
export async function reportUsage(work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  // Linux reports the peak in kilobytes.
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ seconds, peakMegabytes })}\n`);
}

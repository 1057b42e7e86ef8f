/** Times the work and prints `{"seconds": …, "peakMegabytes": …}` of this process. */
export async function reportTo(work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  // Linux tells the peak in kilobytes.
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ seconds, peakMegabytes })}\n`);
}

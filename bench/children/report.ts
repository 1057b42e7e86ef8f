/** Runs the work and prints its CPU time and the peak memory of this process: `{"cpuSeconds": …, "peakMegabytes": …}`. */
export async function reportUsage(work: () => Promise<unknown>): Promise<void> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  const cpuSeconds = (user + system) / 1e6;
  // `maxRSS` is in kilobytes.
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ cpuSeconds, peakMegabytes })}\n`);
}

import cliProgress from 'cli-progress';

export interface Progress {
  /** `total` may grow during the work. */
  update(done: number, total: number, note: string): void;
  stop(): void;
}

/** Draws a bar on the standard error of this process. */
export function drawProgress(label: string): Progress {
  const progressBar = new cliProgress.SingleBar({
    format: `${label} {bar} {percentage}% | {note} | {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  let started = false;
  return {
    update(done, total, note) {
      if (!started) progressBar.start(total, 0, { note });
      started = true;
      progressBar.setTotal(total);
      progressBar.update(done, { note });
    },
    stop() {
      if (started) progressBar.stop();
    },
  };
}

/** Creates a progress that writes one line for every 10 %. */
export function writeProgress(label: string, write: (text: string) => void): Progress {
  let shown = 0;
  return {
    update(done, total, note) {
      const now = total === 0 ? 0 : Math.floor((done / total) * 10);
      if (now <= shown) return;
      shown = now;
      write(`${label} ${now * 10}% | ${note}`);
    },
    stop() {},
  };
}

import cluster from 'node:cluster';
import type { ProcessStatus } from '../../app-routes/console/operator-status.js';
import { SERVICE } from '../../engine/http/package-root.js';

/** Describes this process. `workers` is the number of workers of the service; undefined if the service is a single process. */
export function readProcess(workers?: number): ProcessStatus {
  return {
    pid: process.pid,
    worker: cluster.worker?.id ?? null,
    workers: workers ?? null,
    version: SERVICE.version,
    node: process.versions.node,
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    memoryBytes: process.memoryUsage.rss(),
  };
}

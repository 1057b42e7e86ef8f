import cluster, { type Worker } from 'node:cluster';

/**
 * Gives connections that a worker got but did not accept before it ended to another worker. Node keeps such a connection open, and
 * its client would wait for an answer for ever. A worker has at most one of them.
 */
export function rescueLostConnections({ process: child }: Worker): void {
  const offered = new Map<number, Closable>();
  const send = child.send as (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    const { act, seq } = (message ?? {}) as InternalMessage;
    if (act === 'newconn' && seq !== undefined) offered.set(seq, handle as Closable);
    return send.call(child, message, handle, ...rest);
  };
  // Node has no public name for this event: the worker answers for each connection whether it accepts it.
  child.on('internalMessage', ({ ack }: InternalMessage) => {
    if (ack !== undefined) offered.delete(ack);
  });
  child.once('disconnect', () => {
    const hasOthers = Object.values(cluster.workers ?? {}).some((worker) => worker?.isConnected());
    for (const [ack, connection] of [...offered]) {
      // This is the answer of a worker that stops: Node then gives the connection to the next one.
      if (hasOthers) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false });
      else connection.close();
    }
  });
}

interface InternalMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

interface Closable {
  close(): void;
}

import type { Worker } from 'node:cluster';

/**
 * Closes connections that a worker got but did not accept before it ended. Node keeps such a connection open, and its client would
 * wait for an answer for ever. A worker has at most one of them.
 */
export function closeLostConnections({ process: child }: Worker): void {
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
  child.once('exit', () => {
    for (const connection of offered.values()) connection.close();
    offered.clear();
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

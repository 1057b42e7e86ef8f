import type { ChartRequest, ChartTexts, FromThread, ToThread } from './chart-messages.js';
import threadUrl from './chart-worker.js?worker&url';

/** The callbacks of a chart for messages from the thread. */
interface ChartListener {
  readonly onPicture: (picture: ImageBitmap, texts: ChartTexts | undefined) => void;
  readonly onFailure: (error: Error) => void;
}

/** A chart that is drawn in the thread. */
export interface ThreadChart {
  readonly draw: (request: ChartRequest) => void;
  readonly point: (x: number, y: number) => void;
  readonly leave: () => void;
  readonly close: () => void;
}

let thread: Worker | undefined;
let lastId = 0;
const listeners = new Map<number, ChartListener>();

/** Connects a chart of the page with the drawing thread, which is started for the first chart. */
export function openChart(listener: ChartListener): ThreadChart {
  lastId += 1;
  const id = lastId;
  listeners.set(id, listener);
  thread ??= startThread();
  const used = thread;
  const send = (message: ToThread) => used.postMessage(message);
  return {
    draw: (request) => send({ id, kind: 'draw', request }),
    point: (x, y) => send({ id, kind: 'point', x, y }),
    leave: () => send({ id, kind: 'leave' }),
    close: () => {
      listeners.delete(id);
      send({ id, kind: 'close' });
    },
  };
}

function startThread(): Worker {
  const started = new Worker(trusted(threadUrl), { type: 'module', name: 'charts' });
  started.addEventListener('message', ({ data }: MessageEvent<FromThread>) => {
    const listener = listeners.get(data.id);
    if (data.kind === 'failed') listener?.onFailure(new Error(data.reason));
    else if (listener === undefined) data.picture.close();
    else listener.onPicture(data.picture, data.texts);
  });
  started.addEventListener('error', ({ message }) => {
    // After a failure, the next chart starts another thread.
    if (thread === started) thread = undefined;
    for (const { onFailure } of listeners.values()) onFailure(new Error(message));
  });
  return started;
}

interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string };
}

/** Marks the address of a script of the console as safe. The security policy of the page requires this (Trusted Types). */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('charts', { createScriptURL: () => url }).createScriptURL(url) ?? url;
}

import type { QuestionRecord } from './explorer-service.js';

/** A stream of server-sent events for one question. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the next event; undefined if the stream has ended. Comments and `retry` are skipped. */
  next(): Promise<StreamedEvent | undefined>;
  /** Returns all events until the stream ends. */
  rest(): Promise<StreamedEvent[]>;
  /** All bytes received so far, as text. */
  readonly text: string;
  /** Disconnects. */
  abort(): void;
}

export interface StreamedEvent {
  readonly name: string;
  readonly record: QuestionRecord;
}

/** Follows a question. Resolves when the headers have arrived. */
export async function followQuestion(
  url: string,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const controller = new AbortController();
  const response = await fetch(`${url}/explorer/questions/${id}/`, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let unread = '';
  const next = async (): Promise<StreamedEvent | undefined> => {
    for (;;) {
      const end = unread.indexOf('\n\n');
      if (end >= 0) {
        const event = readEvent(unread.slice(0, end));
        unread = unread.slice(end + 2);
        if (event !== undefined) return event;
        continue;
      }
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || value === undefined) return undefined;
      text += value;
      unread += value;
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    rest: async () => {
      const events: StreamedEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) events.push(event);
      return events;
    },
    get text() {
      return text;
    },
    abort: () => controller.abort(),
  };
}

/** Parses the lines of an event; undefined if it has no data. */
function readEvent(block: string): StreamedEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  const data = fields.get('data');
  return data === undefined
    ? undefined
    : { name: fields.get('event') ?? 'message', record: JSON.parse(data) as QuestionRecord };
}

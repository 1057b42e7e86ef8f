/** An event from the server. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Reads the events of a `text/event-stream` until its end. `fetch` is used because `EventSource` hides the status of errors. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value.replaceAll('\r', '')).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = readBlock(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Parses an event. Returns undefined for comments, which only keep the connection open. */
function readBlock(block: string): ServerEvent | undefined {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/s.exec(line) ?? []);
  const data = fields.filter(([, name]) => name === 'data').map(([, , value]) => value);
  const name = fields.find(([, field]) => field === 'event')?.[2] ?? 'message';
  return data.length === 0 ? undefined : { name, data: data.join('\n') };
}

import { ModelError, type ModelTimers } from './model.js';

export interface ResponseLimits {
  /** The maximum size of a response in bytes. */
  readonly maxBytes: number;
  /** The maximum time between two parts of a response, in milliseconds. */
  readonly silenceMs: number;
}

/**
 * Creates a `fetch` for a server that may be faulty or hostile. Reading a response that exceeds a limit fails with `ModelError`. Redirects
 * are rejected, because the key and the prompt must not be sent to another host.
 */
export function createGuardedFetch(limits: ResponseLimits, silence: ModelTimers['silence']): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers: withoutClientFacts(init?.headers), redirect: 'manual' });
    const fault = faultOf(response);
    if (fault !== undefined || response.body === null) {
      await response.body?.cancel();
      throw fault ?? noEventStream();
    }
    return new Response(guard(response.body, limits, silence), { status: response.status, headers: response.headers });
  };
}

export function noEventStream(): ModelError {
  return new ModelError(
    'invalid_output',
    'The answer of the model server is not a stream of chat completions. Check that MODEL_URL is the base URL of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1.',
  );
}

/** Removes the headers in which the client library describes this machine. */
function withoutClientFacts(given: RequestInit['headers']): Headers {
  const headers = new Headers(given);
  for (const name of [...headers.keys()]) if (name.startsWith('x-stainless-')) headers.delete(name);
  return headers;
}

function faultOf({ status, ok, headers }: Response): ModelError | undefined {
  if (status >= 300 && status < 400) {
    const message = `The model server answered with a redirect (HTTP ${status}), which is not followed. Set MODEL_URL to the final address.`;
    return new ModelError('unreachable', message, { isOperatorFault: true });
  }
  const type = headers.get('content-type') ?? '';
  return ok && !/^text\/event-stream\b/i.test(type) ? noEventStream() : undefined;
}

function guard(
  body: ReadableStream<Uint8Array>,
  { maxBytes, silenceMs }: ResponseLimits,
  silence: ModelTimers['silence'],
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let tail = '';
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          // This limit does not apply to the first part, because the server reads the whole prompt before it.
          const read = reader.read();
          const { done, value } = await (bytes === 0 ? read : withinSilence(read, silenceMs, silence));
          if (done) return controller.close();
          bytes += value.byteLength;
          if (bytes > maxBytes) throw tooLarge(maxBytes);
          const text = tail + Buffer.from(value).toString('latin1');
          if (ASSISTANT_EVENT.test(text)) throw noEventStream();
          tail = text.slice(-TAIL_LENGTH);
          controller.enqueue(value);
        } catch (error) {
          // Closes the connection. Otherwise the server could continue to send data.
          reader.cancel().catch(() => {});
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The client library prints invalid events with these names to the console. Chat completions never contain such events. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: every control character could end a line
const ASSISTANT_EVENT = /(?:^|[\u0000-\u001f\u0080-\u00ff])event: ?thread\./;
const TAIL_LENGTH = 32;

async function withinSilence<T>(read: Promise<T>, silenceMs: number, silence: ModelTimers['silence']): Promise<T> {
  const ended = new AbortController();
  const tooLong = silence(silenceMs, ended.signal).then(() => {
    throw silentTooLong(silenceMs);
  });
  try {
    return await Promise.race([read, tooLong]);
  } finally {
    ended.abort();
  }
}

function silentTooLong(silenceMs: number): ModelError {
  return new ModelError('unreachable', `The model server sent no data for ${silenceMs / 1000} seconds in its answer.`);
}

function tooLarge(maxBytes: number): ModelError {
  return new ModelError('invalid_output', `The answer of the model server is larger than ${maxBytes} bytes.`);
}

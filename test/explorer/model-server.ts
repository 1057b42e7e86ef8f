import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readJson } from './model-server/read-json.js';
import { type ModelReply, sendReply } from './model-server/replies.js';

export type { ModelReply } from './model-server/replies.js';

/** A form in which a server can return an answer. A request for an unsupported form is rejected with status 400. */
export type ModelForm = 'json_schema' | 'json_object' | 'text';

/** A request that the server received. */
export interface ModelServerRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly form: ModelForm;
  /** The request body without the messages. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** All messages as one text. */
  readonly prompt: string;
}

export interface ModelServerOptions {
  /** The forms of answers that the server supports. Default: all. */
  readonly forms?: readonly ModelForm[];
  /** Parameters for which the server returns status 400, for example `stream_options`. */
  readonly rejects?: readonly string[];
  /** The reply to requests without a scripted reply. Default: status 500. */
  readonly otherwise?: ModelReply | ((request: ModelServerRequest) => ModelReply);
}

/** A server with the OpenAI API whose replies are scripted by the test. */
export interface ModelServer {
  /** The base URL, for `MODEL_URL`. */
  readonly url: string;
  /** All received requests, except those rejected because of their form or parameters. */
  readonly requests: readonly ModelServerRequest[];
  /** All requests that were rejected because of their form or parameters. */
  readonly rejected: readonly ModelServerRequest[];
  readonly concurrent: number;
  readonly maxConcurrent: number;
  /** The number of bytes of answers that were sent. */
  readonly sentBytes: number;
  /** Sets the replies to the next requests, in this order. Replies for a specific question take precedence. */
  reply(...replies: ModelReply[]): void;
  /** Sets the reply to requests whose prompt contains the text or matches the pattern. Later calls take precedence. */
  replyTo(prompt: string | RegExp, reply: ModelReply | ((request: ModelServerRequest) => ModelReply)): void;
  /** Ends all replies that are held or stalled. */
  release(): void;
  close(): Promise<void>;
}

/** Starts the server on this machine. The caller must close the server. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const script = new Script(options);
  const server = createServer((request, response) => void script.answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(script, {
    url: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      script.release();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

type Choose = (request: ModelServerRequest) => ModelReply;

class Script {
  readonly requests: ModelServerRequest[] = [];
  readonly rejected: ModelServerRequest[] = [];
  concurrent = 0;
  maxConcurrent = 0;
  sentBytes = 0;
  readonly #options: ModelServerOptions;
  readonly #queue: ModelReply[] = [];
  readonly #matching: { readonly matches: (prompt: string) => boolean; readonly choose: Choose }[] = [];
  #stalled = new AbortController();

  constructor(options: ModelServerOptions) {
    this.#options = options;
  }

  reply(...replies: ModelReply[]): void {
    this.#queue.push(...replies);
  }

  replyTo(prompt: string | RegExp, reply: ModelReply | Choose): void {
    const matches = (text: string) => (typeof prompt === 'string' ? text.includes(prompt) : prompt.test(text));
    this.#matching.unshift({ matches, choose: toChoice(reply) });
  }

  release(): void {
    this.#stalled.abort();
    this.#stalled = new AbortController();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.concurrent += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.concurrent);
    response.on('close', () => {
      this.concurrent -= 1;
    });
    // A client that disconnects causes an error of the response, which is expected in these tests.
    response.on('error', () => {});
    const received = toRequest(request, await readJson(request));
    const fault = this.#faultOf(received);
    (fault === undefined ? this.requests : this.rejected).push(received);
    await sendReply(fault ?? this.#choose(received), response, {
      released: this.#stalled.signal,
      count: (bytes) => {
        this.sentBytes += bytes;
      },
    });
  }

  #choose(request: ModelServerRequest): ModelReply {
    const matching = this.#matching.find(({ matches }) => matches(request.prompt));
    if (matching !== undefined) return matching.choose(request);
    const next = this.#queue.shift();
    return next ?? toChoice(this.#options.otherwise ?? { status: 500 })(request);
  }

  #faultOf({ form, body }: ModelServerRequest): ModelReply | undefined {
    const { forms, rejects = [] } = this.#options;
    if (forms !== undefined && !forms.includes(form)) {
      return { status: 400, json: { error: { message: `response_format ${form} is not supported` } } };
    }
    const name = rejects.find((parameter) => parameter in body);
    return name === undefined
      ? undefined
      : { status: 400, json: { error: { message: `Unsupported parameter: ${name}` } } };
  }
}

function toChoice(reply: ModelReply | Choose): Choose {
  return typeof reply === 'function' ? reply : () => reply;
}

function toRequest({ url = '', headers }: IncomingMessage, json: unknown): ModelServerRequest {
  const { messages, ...body } = json as {
    messages?: ModelServerRequest['messages'];
    response_format?: { readonly type: ModelForm };
  };
  const form = body.response_format?.type ?? 'text';
  const prompt = (messages ?? []).map(({ content }) => content).join('\n\n');
  return { path: url, headers, form, body, messages: messages ?? [], prompt };
}

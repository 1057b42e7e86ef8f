import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerReceiver, StreamedAnswer, StreamStart } from '../../answers/stream-rows.js';
import { addDefinitionHeaders } from '../cache/cache-headers.js';
import { addVaryingHeaders, sendUncompressed, setHeaders } from '../cache/send-answer.js';
import { ageOf } from '../envelopes/envelope.js';
import {
  type AnswerFacts,
  addDataHeaders,
  addNoticeHeaders,
  addRowHeaders,
  FACT_TRAILERS,
} from '../formats/answer-facts.js';
import { createRowEncoder } from '../formats/encode-rows.js';
import { CONTENT_TYPES, dispositionOf, type RowEncoder, type RowFormat } from '../formats/format.js';
import { interruptionOf } from '../requests/read-request.js';

/** The size of the buffer at the start. Smaller answers are sent with all their metadata in headers. */
const FIRST_BYTES = 64 * 1024;
/** More rows are read while at most this many bytes wait for the client. Waiting after each batch would cost as much as its rows. */
const WAITING_BYTES = 256 * 1024;
/** The delay of a reset. A client with unread bytes at the reset can see a normal end, because libuv then reports no error. */
const RESET_MS = 100;
/** The time limit for sending the closing record of a failed answer to the client. */
const CLOSING_MS = 1_000;

/** Writes a streamed answer to a response. If the client is slow, no further rows are read from the database. */
export class StreamSender implements AnswerReceiver {
  readonly #response: ServerResponse;
  readonly #format: RowFormat;
  #encoder: RowEncoder | undefined;
  #start: StreamStart | undefined;
  /** The buffered bytes until the head is sent; undefined afterwards. */
  #first: Buffer[] | undefined = [];
  #firstBytes = 0;
  #rows = 0;
  #databaseMs: number | undefined;

  constructor(response: ServerResponse, format: RowFormat) {
    this.#response = response;
    this.#format = format;
  }

  /** The number of rows that were written so far. */
  get rowCount(): number {
    return this.#rows;
  }

  /** The duration of the query without the time of the client; undefined while it runs, and if no query ran. */
  get databaseMs(): number | undefined {
    return this.#databaseMs;
  }

  #recordCount(): number {
    return this.#encoder?.records?.() ?? this.#rows;
  }

  queried(ms: number): void {
    this.#databaseMs = ms;
  }

  start(start: StreamStart): void {
    this.#start = start;
    this.#encoder = createRowEncoder(this.#format, start.endpoint);
    this.#write(this.#encoder.start());
  }

  rows(rows: Parameters<AnswerReceiver['rows']>[0]): Promise<void> | undefined {
    if (this.#response.destroyed) throw interruptionOf(this.#response.req);
    this.#rows += rows.length;
    return this.#write(this.#encoder?.rows(rows) ?? '') ? undefined : this.#drained();
  }

  finish(answer: StreamedAnswer): void {
    const facts = streamFactsOf({ ...answer, rowCount: this.#recordCount() });
    this.#write(this.#encoder?.end(facts) ?? '');
    const rowHeaders: string[] = [];
    addRowHeaders(rowHeaders, facts);
    if (this.#first === undefined) {
      addNoticeHeaders(rowHeaders, facts);
      if (!this.#isOld) this.#response.addTrailers(Object.fromEntries(pairsOf(rowHeaders)));
      this.#response.end();
      return;
    }
    const body = Buffer.concat(this.#first);
    this.#writeHead([...headersOf(facts, answer, this.#format), ...rowHeaders, 'Content-Length', String(body.length)]);
    this.#response.end(body);
  }

  /**
   * Ends an answer that has begun so that the client can detect that it is incomplete: the last chunk of the body is
   * not sent. HTTP/1.0 has no chunks, so the connection is reset instead.
   */
  fail(error: AnswerFacts['error']): void {
    if (this.#response.destroyed) return;
    if (this.#isOld) {
      setTimeout(() => reset(this.#response.socket), RESET_MS);
      return;
    }
    const destroy = () => this.#response.destroy();
    if (this.#format !== 'ndjson' || this.#start === undefined) {
      destroy();
      return;
    }
    const facts = streamFactsOf({
      ...this.#start,
      finishedAt: new Date(),
      emptyNotices: [],
      rowCount: this.#recordCount(),
    });
    const record = this.#encoder?.end({ ...facts, truncated: true, ...(error !== undefined && { error }) }) ?? '';
    const timer = setTimeout(destroy, CLOSING_MS);
    this.#response.write(record, () => {
      clearTimeout(timer);
      destroy();
    });
  }

  /** Whether the client uses HTTP/1.0, which has neither chunks nor trailers. */
  get #isOld(): boolean {
    return this.#response.req.httpVersion === '1.0';
  }

  /** Writes a part of the body. Returns false if no further rows must be read until the client has received some bytes. */
  #write(part: string | Buffer): boolean {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    if (this.#first === undefined) return bytes.length === 0 || this.#send(bytes);
    this.#first.push(bytes);
    this.#firstBytes += bytes.length;
    if (this.#firstBytes <= FIRST_BYTES || this.#start === undefined) return true;
    const known = streamFactsOf({
      ...this.#start,
      finishedAt: new Date(),
      emptyNotices: [],
      rowCount: 0,
      truncated: false,
    });
    const first = Buffer.concat(this.#first);
    this.#first = undefined;
    const trailer = this.#isOld ? [] : ['Trailer', FACT_TRAILERS];
    this.#writeHead([...headersOf(known, this.#start, this.#format), ...trailer]);
    return this.#send(first);
  }

  #send(bytes: Buffer): boolean {
    return this.#response.write(bytes) || this.#response.writableLength <= WAITING_BYTES;
  }

  #writeHead(headers: readonly string[]): void {
    sendUncompressed(this.#response);
    this.#response.setHeader('Vary', addVaryingHeaders(String(this.#response.getHeader('Vary') ?? '')));
    setHeaders(this.#response, headers);
  }

  #drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const response = this.#response;
      const settle = (done: () => void) => () => {
        response.off('drain', onDrain).off('close', onClose);
        done();
      };
      const onDrain = settle(resolve);
      const onClose = settle(() => reject(interruptionOf(response.req)));
      response.once('drain', onDrain).once('close', onClose);
    });
  }
}

function reset(socket: Socket | null): void {
  if (socket === null) return;
  // Otherwise Node would send the remaining data and a normal end, so that an HTTP/1.0 client could not detect the incomplete answer.
  socket.destroySoon = () => socket.destroy();
  socket.resetAndDestroy();
}

type Ended = StreamStart &
  Pick<StreamedAnswer, 'finishedAt' | 'emptyNotices' | 'rowCount'> & { readonly truncated?: boolean };

/** Returns the metadata of a streamed answer. */
export function streamFactsOf(answer: Ended): AnswerFacts {
  const { dataAsOf, stale } = ageOf(answer, answer.finishedAt);
  const { rowCount: rows, truncated = false, notices, emptyNotices } = answer;
  return { rows, truncated, data_as_of: dataAsOf, stale, notices: [...notices, ...emptyNotices] };
}

/** Returns the headers of a streamed answer. The service does not store it, so other caches must not store it either. */
function headersOf(facts: AnswerFacts, { endpoint }: Pick<StreamStart, 'endpoint'>, format: RowFormat): string[] {
  const headers = streamHeaders(endpoint, format);
  addDataHeaders(headers, facts);
  return headers;
}

/** Returns the headers that do not depend on the data. Each name is followed by its value. */
export function streamHeaders(endpoint: StreamStart['endpoint'], format: RowFormat): string[] {
  const headers: string[] = [];
  addDefinitionHeaders(headers, endpoint);
  headers.push('Content-Type', CONTENT_TYPES[format]);
  headers.push('Content-Disposition', dispositionOf(endpoint.definition.name, format));
  headers.push('Cache-Control', 'no-store', 'Cache-Status', 'repo-insight; fwd=bypass; detail=streamed');
  return headers;
}

function pairsOf(list: readonly string[]): [string, string][] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, String(list[index + 1])]] : []));
}

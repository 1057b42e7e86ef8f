/** An HTTP answer as received. */
export interface RawAnswer {
  readonly status: number;
  /** The status line and the header lines. */
  readonly head: string;
  readonly body: Buffer;
}

/**
 * Finds the ends of answers in the bytes of a keep-alive connection. A complete HTTP parser in JavaScript needs more CPU time than a server
 * that sends stored bytes, so with such a parser, the load generator itself would be the bottleneck.
 */
export class AnswerReader {
  #waiting: Buffer[] = [];
  #bytes = 0;
  /** The number of bytes that are needed before the first answer can be complete. */
  #needed = 0;

  /** Adds the next bytes of the connection, and returns the answers that are now complete. */
  take(chunk: Buffer): RawAnswer[] {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return [];
    let rest = this.#waiting.length === 1 ? chunk : Buffer.concat(this.#waiting);
    const answers: RawAnswer[] = [];
    for (;;) {
      const next = readAnswer(rest);
      if (!('answer' in next)) {
        this.#needed = next.needed;
        break;
      }
      answers.push(next.answer);
      rest = rest.subarray(next.end);
    }
    this.#waiting = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return answers;
  }
}

/** Returns the value of a header, without spaces at its ends; undefined if the header is absent. */
export function headerOf({ head }: RawAnswer, name: string): string | undefined {
  return new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'im').exec(head)?.[1];
}

/** Describes an unexpected answer for a message: the status line and the start of the body. */
export function describeAnswer({ head, body }: RawAnswer): string {
  return `${head.split('\r\n')[0]} ${body.toString().slice(0, 500)}`;
}

type Next = { readonly answer: RawAnswer; readonly end: number } | { readonly needed: number };

const BREAK = '\r\n\r\n';

function readAnswer(bytes: Buffer): Next {
  const headEnd = bytes.indexOf(BREAK);
  if (headEnd === -1) return { needed: bytes.length + 1 };
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const start = headEnd + BREAK.length;
  if (status === 304 || status === 204) return { answer: { status, head, body: Buffer.alloc(0) }, end: start };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) return readChunked(bytes, start, { status, head });
  const end = start + Number(length);
  if (bytes.length < end) return { needed: end };
  return { answer: { status, head, body: bytes.subarray(start, end) }, end };
}

function readChunked(bytes: Buffer, start: number, line: Omit<RawAnswer, 'body'>): Next {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return { needed: bytes.length + 1 };
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error(`expected an answer with a length, got ${line.head}`);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return { needed: end + 2 };
    if (size === 0) return { answer: { ...line, body: Buffer.concat(chunks) }, end: end + 2 };
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

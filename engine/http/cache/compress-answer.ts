import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { EncodedBody } from './stored-answer.js';

/**
 * Bodies below this size are not compressed, because they fit into one network packet anyway. The middleware
 * `compression` has the same limit.
 */
export const MIN_COMPRESSED_BYTES = 1_024;

/** Returns the answer with its compressed forms. They are created once, in the thread pool, so that the event loop is not blocked. */
export async function compressAnswer<Answer extends EncodedBody>(answer: Answer): Promise<Answer> {
  if (answer.bodyBytes < MIN_COMPRESSED_BYTES) return answer;
  const { body } = answer;
  const [gzipped, brotli] = await Promise.all([answer.gzip ?? gzipBody(body), answer.brotli ?? brotliBody(body)]);
  return { ...answer, gzip: gzipped, brotli };
}

export function gzipBody(body: Buffer): Promise<Buffer> {
  return toGzip(body);
}

function brotliBody(body: Buffer): Promise<Buffer> {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
  return toBrotli(body, { params });
}

/** Higher qualities take several times as long and save a few percent. */
const BROTLI_QUALITY = 4;
const toGzip = promisify<Buffer, Buffer>((body, done) => gzip(body, done));
const toBrotli = promisify(brotliCompress) as (body: Buffer, options: object) => Promise<Buffer>;

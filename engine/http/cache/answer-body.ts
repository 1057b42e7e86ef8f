import { createHash } from 'node:crypto';
import type { Answer } from '../../answers/answer.js';
import { type EnvelopeResult, toEnvelope } from '../envelopes/envelope.js';
import { type NamedQueryEnvelope, toQueryEnvelope } from '../envelopes/query-envelope.js';
import { type AnswerFacts, factsOf } from '../formats/answer-facts.js';
import { createRowEncoder, encodeAnswer } from '../formats/encode-rows.js';
import { isRowFormat, type RowFormat } from '../formats/format.js';
import type { Representation, StoredAnswer } from './stored-answer.js';

export type AnswerBody = Pick<StoredAnswer, 'body' | 'bodyBytes' | 'metadataStart' | 'hash' | 'facts'>;

/** Writes the body of an answer. Bodies for `/q` also contain `expiresAt`. */
export function writeBody(answer: Answer, representation: Representation, expiresAt?: Date): AnswerBody {
  if (isRowFormat(representation)) {
    const facts = factsOf(answer);
    const { columns } = answer.endpoint.definition;
    const { body, endBytes } = encodeAnswer(representation, columns, answer.rows, facts);
    return {
      body,
      bodyBytes: body.length,
      metadataStart: body.length - endBytes,
      hash: hashOfRows(body, facts),
      facts,
    };
  }
  if (representation === 'envelope') {
    const envelope = toEnvelope(answer);
    return splitBody(JSON.stringify(envelope), writeResult(envelope.data.result));
  }
  const envelope = toQueryEnvelope(answer, expiresAt);
  const { dataAsOf, stale, truncated, notices } = envelope;
  return splitBody(JSON.stringify(envelope), writeQueryMetadata({ dataAsOf, stale, truncated, notices }));
}

/**
 * Writes the body of a cached answer whose data can be outdated. The body is marked as stale, has an additional notice, and states the age
 * at `now`. The rows are copied and not parsed, because the service does this for every request while the database is unavailable.
 */
export function writeStaleBody(stored: StoredAnswer, notice: string, now: Date): AnswerBody {
  const { body: last, metadataStart, hash, representation, facts } = stored;
  if (facts !== undefined) {
    const staleFacts = { ...facts, stale: true, notices: [...facts.notices, notice] };
    const encoder = createRowEncoder(representation as RowFormat, stored.endpoint.definition.columns);
    const body = Buffer.concat([last.subarray(0, metadataStart), Buffer.from(encoder.end(staleFacts))]);
    return { body, bodyBytes: body.length, metadataStart, hash: hashOfRows(body, staleFacts), facts: staleFacts };
  }
  const text = last.toString('utf8', metadataStart);
  const metadata = representation === 'envelope' ? staleResult(text, notice, now) : staleQueryMetadata(text, notice);
  const body = Buffer.concat([last.subarray(0, metadataStart), Buffer.from(metadata)]);
  return {
    body,
    bodyBytes: body.length,
    metadataStart,
    hash: hashOf(hash + metadata),
    facts: undefined,
  };
}

/** Returns a hash, for ETags and for checking stored bodies. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, HASH_LENGTH);
}

/** Returns the hash of an answer with only rows. The hash includes the metadata, which are in headers and not in the body. */
function hashOfRows(body: Buffer, facts: AnswerFacts): string {
  return hashOf(hashOf(body) + JSON.stringify(facts));
}

/** The number of base64url characters of a hash: 132 bits. */
const HASH_LENGTH = 22;

/** The members of a `/q` envelope that follow the rows. */
type QueryMetadata = Pick<NamedQueryEnvelope, 'dataAsOf' | 'stale' | 'truncated' | 'notices'>;

/** Writes the end of an envelope, with the metadata. The metadata are the last bytes of a body, so that a stale body differs only there. */
function writeResult(result: EnvelopeResult): string {
  return `${JSON.stringify(result)}}}`;
}

function writeQueryMetadata(metadata: QueryMetadata): string {
  return JSON.stringify(metadata).slice(1);
}

function splitBody(text: string, metadata: string): AnswerBody {
  const body = Buffer.from(text);
  const metadataStart = body.length - Buffer.byteLength(metadata);
  if (!text.endsWith(metadata)) throw new Error('the metadata of an envelope are not at its end');
  return { body, bodyBytes: body.length, metadataStart, hash: hashOf(body), facts: undefined };
}

function staleResult(text: string, notice: string, now: Date): string {
  const result = JSON.parse(text.slice(0, -2)) as EnvelopeResult;
  const { data_as_of, age_ms, notices } = result;
  // The age grows with the time since the data were read, but is never less than the age at that time.
  const ageMs =
    age_ms === null || data_as_of === null ? null : Math.max(age_ms, now.getTime() - Date.parse(data_as_of));
  return writeResult({ ...result, age_ms: ageMs, stale: true, notices: [...notices, notice] });
}

function staleQueryMetadata(text: string, notice: string): string {
  const metadata = JSON.parse(`{${text}`) as QueryMetadata;
  return writeQueryMetadata({ ...metadata, stale: true, notices: [...metadata.notices, notice] });
}

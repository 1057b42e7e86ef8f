import { createRequire } from 'node:module';
import type { Data, RecordBatch, Schema, Struct } from 'apache-arrow';
import type { ColumnDefinition } from '../../definitions/definition.js';
import { type Arrow, arrowColumn } from './arrow-columns.js';
import type { RowEncoder, Rows } from './row-encoder.js';

/** A metadata key of the last record batch, which has no rows. Its value is the JSON of `AnswerFacts`. */
export const ARROW_END_KEY = 'repo-insight.end';

/**
 * Writes an Arrow IPC stream: the schema, one record batch for each batch of rows, and an empty record batch whose
 * metadata contain the closing record.
 */
export function createArrowEncoder(columns: readonly ColumnDefinition[]): RowEncoder {
  const arrow = loadArrow();
  const written = columns.map((column) => ({ name: column.col, ...arrowColumn(arrow, column) }));
  // All fields are nullable, because a definition that declares a column as not nullable can be wrong.
  const schema = new arrow.Schema(written.map(({ name, type }) => new arrow.Field(name, type, true)));
  const type = new arrow.Struct(schema.fields);
  const writer = createBytesWriter(arrow);
  const batchOf = (rows: Rows, metadata?: Map<string, string>): RecordBatch => {
    const children = written.map(({ write }, index) => write(rows, index));
    const data: Data<Struct> = arrow.makeData({ type, length: rows.length, nullCount: 0, children });
    return new arrow.RecordBatch(schema, data, metadata);
  };
  return {
    start: () => writer.start(schema),
    rows: (rows) => writer.batch(batchOf(rows)),
    end: (facts) => {
      const batch = writer.batch(batchOf([], new Map([[ARROW_END_KEY, JSON.stringify(facts)]])));
      return Buffer.concat([batch, writer.end()]);
    },
  };
}

/** Loads the package for the first answer in this format, because loading it earlier would delay each start. */
function loadArrow(): Arrow {
  return createRequire(import.meta.url)('apache-arrow') as Arrow;
}

interface BytesWriter {
  start(schema: Schema): Buffer;
  batch(batch: RecordBatch): Buffer;
  end(): Buffer;
}

/** Creates a writer that returns the bytes of each message separately. The writers of the package return only all bytes together. */
function createBytesWriter({ RecordBatchStreamWriter }: Arrow): BytesWriter {
  let parts: Uint8Array[] = [];
  class PartsWriter extends RecordBatchStreamWriter {
    protected override _write({ buffer, byteOffset, byteLength }: ArrayBufferView): this {
      parts.push(new Uint8Array(buffer, byteOffset, byteLength));
      return this;
    }
  }
  const writer = new PartsWriter();
  const take = () => {
    const bytes = Buffer.concat(parts);
    parts = [];
    return bytes;
  };
  return {
    start(schema) {
      writer.reset(undefined, schema);
      return take();
    },
    batch(batch) {
      writer.write(batch);
      return take();
    },
    end() {
      writer.finish();
      return take();
    },
  };
}

import { streamFactsOf } from '../../../engine/http/definitions/stream-sender.js';
import { type AnswerFacts, factsOf } from '../../../engine/http/formats/answer-facts.js';
import { countRecords, createRowEncoder } from '../../../engine/http/formats/encode-rows.js';
import type { Endpoint, Engine, RawParameters } from '../../../engine/index.js';
import type { CommandContext } from '../../terminal/command-context.js';

export type WrittenFormat = 'csv' | 'ndjson';

/** Writes the rows of an answer to the standard output. If the rows are truncated, prints an error and sets the exit code 1. */
export async function writeRows(
  engine: Pick<Engine, 'run' | 'stream'>,
  { endpoint, raw }: { readonly endpoint: Endpoint; readonly raw: RawParameters },
  format: WrittenFormat,
  context: CommandContext,
): Promise<void> {
  const { output, signal } = context;
  const { definition } = endpoint;
  const encoder = createRowEncoder(format, definition);
  // In CSV and NDJSON, every part is text.
  const write = (part: string | Buffer) => output.write(String(part));
  const read = async (): Promise<AnswerFacts> => {
    if (endpoint.stream === undefined) {
      const answer = await engine.run(endpoint, raw, { signal });
      await write(encoder.start());
      await write(encoder.rows(answer.rows));
      return { ...factsOf(answer), rows: countRecords(format, definition, answer.rows) };
    }
    let records = 0;
    const receiver = {
      start: () => void write(encoder.start()),
      rows: (rows: Parameters<typeof encoder.rows>[0]) => {
        records += countRecords(format, definition, rows);
        return write(encoder.rows(rows));
      },
    };
    return { ...streamFactsOf(await engine.stream(endpoint, raw, receiver, { signal })), rows: records };
  };
  const facts = await read();
  await write(encoder.end(facts));
  for (const notice of facts.notices) output.warn(notice);
  if (!facts.truncated) return;
  output.error(`The result is truncated: more rows exist than these ${facts.rows}.`);
  context.exitCode = 1;
}

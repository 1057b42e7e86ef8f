import { streamFactsOf } from '../../../engine/http/definitions/stream-sender.js';
import { type AnswerFacts, factsOf } from '../../../engine/http/formats/answer-facts.js';
import { createRowEncoder } from '../../../engine/http/formats/encode-rows.js';
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
  const encoder = createRowEncoder(format, endpoint);
  // In CSV and NDJSON, every part is text.
  const write = (part: string | Buffer) => output.write(String(part));
  const readFacts = async (): Promise<AnswerFacts> => {
    if (endpoint.stream === undefined) {
      const answer = await engine.run(endpoint, raw, { signal });
      await write(encoder.start());
      await write(encoder.rows(answer.rows));
      return factsOf(answer);
    }
    const receiver = {
      start: () => void write(encoder.start()),
      rows: (rows: Parameters<typeof encoder.rows>[0]) => write(encoder.rows(rows)),
    };
    return streamFactsOf(await engine.stream(endpoint, raw, receiver, { signal }));
  };
  const read = await readFacts();
  const facts = { ...read, rows: encoder.records?.() ?? read.rows };
  await write(encoder.end(facts));
  for (const notice of facts.notices) output.warn(notice);
  if (!facts.truncated) return;
  output.error(`The result is truncated: more rows exist than these ${facts.rows}.`);
  context.exitCode = 1;
}

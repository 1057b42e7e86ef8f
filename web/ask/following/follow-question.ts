import { callOperation } from '../../api/operations.js';
import { isFinal, type QuestionRecord, questionPath } from '../../api/questions.js';
import { ROOT_URL } from '../../app/root-url.js';
import { readEvents } from './event-stream.js';

/** The way in which changes of a question are received. */
export type Connection = 'events' | 'reconnecting' | 'polling';

export interface Following {
  readonly signal: AbortSignal;
  readonly onChange: (record: QuestionRecord) => void;
  readonly onConnection: (connection: Connection) => void;
}

/** After this number of consecutive connections without an event, the record is polled instead. */
const MAX_EMPTY = 3;
const WAIT_MS = 2_000;

/**
 * Reports each change of a question until its status is final. Reads the event stream of the server and reconnects if the stream ends
 * early. If the stream fails repeatedly, polls the record. Rejects only if the signal aborts or the question does not exist any more.
 */
export async function followQuestion(id: string, { signal, onChange, onConnection }: Following): Promise<void> {
  for (let empty = 0; empty < MAX_EMPTY; ) {
    let isEmpty = true;
    try {
      for await (const record of recordsOf(id, signal)) {
        isEmpty = false;
        onConnection('events');
        onChange(record);
        if (isFinal(record.status)) return;
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    empty = isEmpty ? empty + 1 : 0;
    onConnection('reconnecting');
    await pause(WAIT_MS, signal);
  }
  onConnection('polling');
  for (;;) {
    const record = await callOperation<QuestionRecord>(questionPath(id), { signal });
    onChange(record);
    if (isFinal(record.status)) return;
    await pause(WAIT_MS, signal);
  }
}

async function* recordsOf(id: string, signal: AbortSignal): AsyncGenerator<QuestionRecord> {
  const headers = { Accept: 'text/event-stream' };
  const response = await fetch(new URL(questionPath(id), ROOT_URL), { headers, signal });
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  if (!response.ok || !isStream || response.body === null) throw new Error(`No events: status ${response.status}.`);
  for await (const { name, data } of readEvents(response.body)) {
    if (name === 'question') yield JSON.parse(data) as QuestionRecord;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The problem of a body: the code and the message of a JSON-RPC error. */
export interface MessageFault {
  readonly code: number;
  readonly message: string;
}

/**
 * Checks the size of the parts of a JSON-RPC message, or of a batch. The size of the whole body is limited already. The
 * checks of the protocol are recursive and answer each message of a batch, so they must not get what this function rejects.
 */
export function findMessageFault(body: unknown): MessageFault | undefined {
  if (Array.isArray(body) && body.length > MAX_BATCH) {
    return invalid(`A batch has at most ${MAX_BATCH} messages, got ${body.length}.`);
  }
  if (isDeeperThan(body, MAX_DEPTH)) return invalid(`A message has at most ${MAX_DEPTH} levels of lists and objects.`);
  for (const message of Array.isArray(body) ? body : [body]) {
    if (typeof message !== 'object' || message === null) return invalid('A message must be an object of JSON-RPC 2.0.');
    const { id } = message as { readonly id?: unknown };
    if (typeof id === 'string' && id.length > MAX_ID) {
      return invalid(`The id of a message has at most ${MAX_ID} characters, got ${id.length}.`);
    }
  }
  return undefined;
}

/** Only the protocol of 2025-03-26 has batches. */
const MAX_BATCH = 20;
const MAX_DEPTH = 32;
const MAX_ID = 256;
/** JSON-RPC: the JSON is not a valid request. */
const INVALID_REQUEST = -32600;

function invalid(message: string): MessageFault {
  return { code: INVALID_REQUEST, message };
}

/** Whether a value has more levels. It visits level by level, because recursion would exceed the call stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

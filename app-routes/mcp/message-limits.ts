/** The problem of a message: the error of JSON-RPC. */
export interface MessageFault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Checks the keys and the size of the parts of a JSON-RPC message, or of a batch. The size of the whole body is limited already. The
 * checks of the protocol are recursive and answer each message of a batch, so they must not get what this function rejects.
 */
export function findMessageFault(body: unknown): MessageFault | undefined {
  if (Array.isArray(body) && body.length > MAX_BATCH) {
    return invalid(`A batch has at most ${MAX_BATCH} messages, got ${body.length}.`);
  }
  const fault = findFaultInside(body);
  if (fault !== undefined) return invalid(fault);
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

/**
 * Finds too many levels, and the key that would change the prototype of a copy: the protocol drops it silently. The function visits
 * level by level, because recursion would exceed the call stack.
 */
function findFaultInside(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    const objects = level.filter((one) => typeof one === 'object' && one !== null);
    if (objects.length === 0) return undefined;
    if (objects.some((one) => Object.hasOwn(one, '__proto__'))) return 'A message has no key "__proto__".';
    level = objects.flatMap((one) => Object.values(one));
  }
  return `A message has at most ${MAX_DEPTH} levels of lists and objects.`;
}

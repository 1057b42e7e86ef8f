/** A problem of a message, as a JSON-RPC error. */
export interface MessageFault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Checks the keys and the nesting of a JSON-RPC message, and the size of a batch. The size of the whole body is already limited. This must
 * run before the checks of the protocol library, which are recursive and answer each message of a batch.
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

/** Only protocol version 2025-03-26 has batches. */
const MAX_BATCH = 20;
const MAX_DEPTH = 32;
const MAX_ID = 256;
/** The JSON-RPC error code for JSON that is not a valid request. */
const INVALID_REQUEST = -32600;

function invalid(message: string): MessageFault {
  return { code: INVALID_REQUEST, message };
}

/**
 * Finds values that are nested too deeply, and the key `__proto__`, which would change the prototype of a copy and which the library drops
 * silently. The function visits level by level, because recursion could exceed the call stack.
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

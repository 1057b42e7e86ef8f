import type { MessageFault } from './message-limits.js';

/** The protocol version without sessions. The list of the library contains only the versions before this one. */
const NEWEST = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** The protocol's error code for an unsupported version. */
const UNSUPPORTED_VERSION = -32022;

/**
 * Returns the error for a message with an unsupported protocol version. The error of the library would not list all supported versions.
 * `initialize` negotiates the version, so it is never rejected.
 */
export function findVersionFault(
  header: string | undefined,
  params: unknown,
  earlier: readonly string[],
): MessageFault | undefined {
  const { _meta: meta } = (params ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> | null };
  const supported = [NEWEST, ...earlier];
  const requested = [header, meta?.[VERSION_KEY]].find((one) => typeof one === 'string' && !supported.includes(one));
  if (requested === undefined) return undefined;
  const shown = String(requested).slice(0, MAX_SHOWN);
  return {
    code: UNSUPPORTED_VERSION,
    message: `Unsupported protocol version: ${shown} (supported versions: ${supported.join(', ')})`,
    data: { supported, requested: shown },
  };
}

const MAX_SHOWN = 50;

import type { MessageFault } from './message-limits.js';

/** The version without sessions; the library lists only the versions before it. */
const NEWEST = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** The protocol: the version is not supported. */
const UNSUPPORTED_VERSION = -32022;

/**
 * Returns why a message with an unsupported version of the protocol is rejected. The library would name either the versions
 * with sessions or those without. `initialize` negotiates its version, so it is never rejected.
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

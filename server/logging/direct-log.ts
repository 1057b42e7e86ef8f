import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { remember, rememberLast } from '../../http/remember.js';
import { type MaskedOutput, maskedOutputOf } from './log.js';
import { maskText } from './mask-secrets.js';
import { maskUrl } from './request-log.js';

/** What the log says about a request. */
export interface LoggedRequest {
  readonly id: string;
  /** The address of the client if a trusted proxy reports it, otherwise the address of the peer. */
  readonly remoteAddress: string | undefined;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
}

/** Writes the line of a request when its response is closed, or at once if it is already closed. */
export type LogDirect = (request: IncomingMessage, response: ServerResponse, facts: LoggedRequest) => void;

/**
 * Creates the log of requests that are answered without express. Its lines are equal to the lines of the log of other
 * requests, but cheaper: there is no logger per request, and parts that repeat are masked once.
 */
export function createDirectLog(logger: Logger): LogDirect {
  const output = maskedOutputOf(logger);
  const writeLine = output === undefined ? writeObject(logger) : writeText(output);
  return (request, response, facts) => {
    if (!logger.isLevelEnabled(levelNameOf(response))) return;
    if (response.destroyed) writeLine(request, response, facts);
    else response.on('close', () => writeLine(request, response, facts));
  };
}

function writeObject(logger: Logger): LogDirect {
  return (request, response, { id, remoteAddress, startedAt }) => {
    const req = { id, method: request.method, url: maskUrl(request.url ?? ''), remoteAddress };
    const res = { statusCode: response.statusCode };
    logger[levelNameOf(response)]({ req, res, responseTime: Date.now() - startedAt }, messageOf(request, response));
  };
}

function writeText({ base, write }: MaskedOutput): LogDirect {
  const baseText = JSON.stringify(base).slice(1, -1);
  return (request, response, { id, remoteAddress, startedAt }) => {
    const now = Date.now();
    // Ids that the service creates contain no secret.
    const maskedId = request.headers['x-request-id'] === undefined ? id : maskText(id);
    const address = remoteAddress === undefined ? '' : `,"remoteAddress":${addresses(remoteAddress)}`;
    write(
      `{"level":${LEVELS[levelNameOf(response)]},"time":"${isoTime(now)}",${baseText},"req":{"id":"${maskedId}","method":"${request.method}",` +
        `"url":${urls(request.url ?? '')}${address}},"res":{"statusCode":${response.statusCode}},` +
        `"responseTime":${now - startedAt},"msg":"${messageOf(request, response)}"}\n`,
    );
  };
}

function messageOf(request: IncomingMessage, response: ServerResponse): string {
  return !request.readableAborted && response.writableEnded ? 'request completed' : 'request aborted';
}

/** Like the log of other requests. There are no answers of 500 and above: the application writes them. */
function levelNameOf({ statusCode }: ServerResponse): keyof typeof LEVELS {
  return statusCode >= 400 ? 'warn' : 'info';
}

/** The numbers of pino. */
const LEVELS = { info: 30, warn: 40 } as const;

/** The JSON texts of recent values without their secrets. Masking is slow, and the values of hits repeat. */
const KEPT = { maxResults: 1_000, maxLength: 1_000 };
const urls = remember((url) => maskText(JSON.stringify(maskUrl(url))), KEPT);
const addresses = remember((address) => maskText(JSON.stringify(address)), KEPT);
const isoTime = rememberLast((ms) => new Date(ms).toISOString());

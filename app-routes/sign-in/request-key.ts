import type { IncomingMessage } from 'node:http';
import { idInSecret } from '../../accounts/keys/api-key.js';
import type { KeyUser } from '../../accounts/keys/verified-keys.js';
import type { ClientRequest } from '../../engine/http/limits/client-address.js';
import { invalidCredentialProblem } from './bearer.js';

/** The API keys in the headers of a request. */
export interface RequestKey {
  /** The first text in `X-API-Key`; otherwise the key in `Authorization: Bearer rik_…`. */
  readonly text: string;
  /** Whether the headers contain no other credential. With several credentials, it is unclear who sends the request. */
  readonly isOnly: boolean;
  /** Whether a text has the form of a secret. Other texts in `X-API-Key` can be from a proxy. */
  readonly hasForm: boolean;
}

/** Returns the API keys in the headers of a request; undefined if they contain none. */
export function keyOf(request: IncomingMessage): RequestKey | undefined {
  const { authorization, 'x-api-key': own } = request.headers;
  if (authorization === undefined && own === undefined) return undefined;
  const { authorization: bearers = [], 'x-api-key': keys = [] } = request.headersDistinct;
  const texts = [...keys, ...bearers.flatMap((text) => BEARER.exec(text)?.[1] ?? [])];
  const [text = ''] = texts;
  if (text === '') return undefined;
  const hasForm = texts.some((one) => idInSecret(one) !== undefined);
  return { text, isOnly: keys.length + bearers.length === 1, hasForm };
}

const BEARER = /^Bearer +(rik_\S*) *$/i;

/**
 * Returns the user of a secret; undefined if the secret is not valid. Throws `rate_limited` for an address that sent too many secrets that
 * are not valid.
 */
export type FindKeyUser = (secret: string, client: ClientRequest) => Promise<KeyUser | undefined>;

/** Creates the problem of a request with several credentials. */
export function severalCredentialsProblem() {
  return invalidCredentialProblem('The request has more than one credential.');
}

/** Creates the problem of a request with an API key that is not valid. */
export function invalidKeyProblem() {
  return invalidCredentialProblem('The API key is unknown, expired or revoked.');
}

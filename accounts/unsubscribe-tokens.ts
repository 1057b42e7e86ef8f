import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Creates and reads the tokens in the links that end digests without sign-in. A token is the id of a user with a keyed hash of it, so it
 * cannot be forged without the secret, and needs no storage. It does not expire, because people open old e-mails.
 */
export class UnsubscribeTokens {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  create(userId: number): string {
    return `${userId}.${this.#hashOf(userId).toString('base64url')}`;
  }

  /** Returns the user of a token; undefined if the token is not valid. */
  read(token: string): number | undefined {
    const [, id, hash = ''] = /^([1-9]\d{0,15})\.([\w-]{43})$/.exec(token) ?? [];
    if (id === undefined) return undefined;
    const given = Buffer.from(hash, 'base64url');
    return timingSafeEqual(given, this.#hashOf(Number(id))) ? Number(id) : undefined;
  }

  #hashOf(userId: number): Buffer {
    return createHmac('sha256', this.#secret).update(String(userId)).digest();
  }
}

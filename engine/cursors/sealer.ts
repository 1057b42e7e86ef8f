import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/**
 * Encrypts contents, so that only this service can read and write them. Equal contents for equal purposes have equal results: the
 * nonce is derived from both, and so belongs to one message only.
 */
export class Sealer {
  readonly #encryptionKey: Buffer;
  readonly #nonceKey: Buffer;

  constructor(secret: Buffer) {
    this.#encryptionKey = deriveKey(secret, 'cursor encryption');
    this.#nonceKey = deriveKey(secret, 'cursor nonce');
  }

  /** Returns the sealed content. The purpose is needed to open it, and is not contained in it. */
  seal(content: Buffer, purpose: string): Buffer {
    // A line break ends the purpose, because JSON contains none.
    const code = createHmac('sha256', this.#nonceKey).update(purpose).update('\n').update(content);
    const nonce = code.digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#encryptionKey, nonce, TAG).setAAD(Buffer.from(purpose));
    const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Returns the content. Undefined if it was not sealed for this purpose with the same secret. */
  open(sealed: Buffer, purpose: string): Buffer | undefined {
    if (sealed.length < START || !sealed.subarray(0, VERSION.length).equals(VERSION)) return undefined;
    const nonce = sealed.subarray(VERSION.length, VERSION.length + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#encryptionKey, nonce, TAG).setAAD(Buffer.from(purpose));
    decipher.setAuthTag(sealed.subarray(VERSION.length + NONCE_BYTES, START));
    const content = decipher.update(sealed.subarray(START));
    try {
      return Buffer.concat([content, decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

/** The first byte of a sealed content. It must be changed with the format. */
const VERSION = Buffer.from([1]);
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG = { authTagLength: 16 };
const START = VERSION.length + NONCE_BYTES + TAG.authTagLength;

function deriveKey(secret: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', name, 32));
}

import { createHash } from 'node:crypto';

/** Returns a hash that identifies a version of a content, without quotes. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, LENGTH);
}

/** 22 base64url characters contain 132 bits. */
const LENGTH = 22;

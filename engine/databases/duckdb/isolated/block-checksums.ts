import { type FileHandle, open } from 'node:fs/promises';

/** The result of the check of a database file. */
export interface CheckedBlocks {
  /** The number of checked blocks. */
  readonly blocks: number;
  /** The numbers, from 0, of the blocks whose content does not match their checksum; -1 if the headers are damaged. */
  readonly damaged: readonly number[];
}

/** Describes the damaged blocks of a file for the operator. */
export function describeDamage(file: string, damaged: readonly number[]): string {
  const shown = damaged.slice(0, MAX_SHOWN_BLOCKS).join(', ');
  const others = damaged.length > MAX_SHOWN_BLOCKS ? ` and ${damaged.length - MAX_SHOWN_BLOCKS} more` : '';
  const reason = damaged.includes(DAMAGED_HEADERS)
    ? 'its headers do not match their checksums'
    : `its blocks ${shown}${others} do not match their checksums`;
  return `${file} is damaged: ${reason}. Restore an earlier backup, or import again.`;
}

const MAX_SHOWN_BLOCKS = 10;
/** The number in `damaged` that means that the headers are damaged. */
const DAMAGED_HEADERS = -1;

/**
 * Compares every block of a database file with its checksum. The layout and the checksum are those of DuckDB
 * (src/storage/single_file_block_manager.cpp, src/common/checksum.cpp): three headers of 4,096 bytes, then blocks of equal size. Each
 * header and block starts with the checksum of its other bytes. `only` limits the check to some blocks.
 */
export async function checkBlocks(file: string, only?: readonly number[]): Promise<CheckedBlocks> {
  const handle = await open(file, 'r');
  try {
    const headers = await readAt(handle, 0, FIRST_BLOCK);
    const places = [0, 1, 2].map((place) => headers.subarray(place * HEADER_BYTES, (place + 1) * HEADER_BYTES));
    if (!places.every(isIntact)) return { blocks: 0, damaged: [DAMAGED_HEADERS] };
    const newest =
      Number(places[1]?.readBigUInt64LE(ITERATION)) > Number(places[2]?.readBigUInt64LE(ITERATION)) ? 1 : 2;
    const header = places[newest] as Buffer;
    const count = Number(header.readBigUInt64LE(BLOCK_COUNT));
    const size = Number(header.readBigUInt64LE(BLOCK_BYTES));
    const numbers = only?.filter((number) => number < count) ?? Array.from({ length: count }, (_, number) => number);
    const damaged: number[] = [];
    const missing: number[] = [];
    for (const number of numbers) {
      const block = await readAt(handle, FIRST_BLOCK + number * size, size);
      if (block.length === 0) missing.push(number);
      else if (!isIntact(block)) damaged.push(number);
    }
    // DuckDB counts a free block at the end of the file that it has never written.
    const free =
      missing.length === 0 ? NONE : await readFreeBlocks(handle, header.readBigUInt64LE(FREE_LIST), count, size);
    damaged.push(...missing.filter((number) => !free.has(number)));
    return { blocks: numbers.length, damaged };
  } finally {
    await handle.close();
  }
}

const HEADER_BYTES = 4_096;
const FIRST_BLOCK = 3 * HEADER_BYTES;
/** The offsets of values in a database header, after its checksum. */
const ITERATION = 8;
const FREE_LIST = 24;
const BLOCK_COUNT = 32;
const BLOCK_BYTES = 40;

const NONE: ReadonlySet<number> = new Set();

/**
 * Reads the numbers of the free blocks. They are in a chain of metadata blocks (src/storage/metadata): a pointer is the number of a block, and
 * in its highest byte the place of one of the 64 metadata blocks in it. Each metadata block begins with the pointer of the next one.
 */
async function readFreeBlocks(
  handle: FileHandle,
  first: bigint,
  count: number,
  size: number,
): Promise<ReadonlySet<number>> {
  const bytes = Math.floor((size - CHECKSUM_BYTES) / METADATA_BLOCKS / 8) * 8;
  const parts: Buffer[] = [];
  let next = first;
  // A damaged chain can be a circle.
  for (let read = 0; next !== NO_POINTER && read < count * METADATA_BLOCKS; read += 1) {
    const [block, place] = [Number(next & BLOCK_OF_POINTER), Number(next >> PLACE_OF_POINTER)];
    if (block >= count || place >= METADATA_BLOCKS) return NONE;
    const metadata = await readAt(handle, FIRST_BLOCK + block * size + CHECKSUM_BYTES + place * bytes, bytes);
    if (metadata.length < bytes) return NONE;
    next = metadata.readBigUInt64LE(0);
    parts.push(metadata.subarray(8));
  }
  const list = Buffer.concat(parts);
  const length = list.length < 8 ? 0 : Math.min(Number(list.readBigUInt64LE(0)), list.length / 8 - 1);
  return new Set(Array.from({ length }, (_, index) => Number(list.readBigInt64LE(8 + 8 * index))));
}

const CHECKSUM_BYTES = 8;
const METADATA_BLOCKS = 64;
const NO_POINTER = 2n ** 64n - 1n;
const PLACE_OF_POINTER = 56n;
const BLOCK_OF_POINTER = 2n ** PLACE_OF_POINTER - 1n;

/** Reads up to `length` bytes at a position; fewer at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/**
 * Whether the first 8 bytes are the checksum of all other bytes: the XOR of 5381 and of all 64-bit words, each
 * multiplied by a constant modulo 2^64. The code uses 32-bit numbers, because they are much faster than bigints.
 */
function isIntact(block: Buffer): boolean {
  const words =
    block.length < 16 || block.length % 8 !== 0
      ? []
      : new Uint32Array(block.buffer, block.byteOffset, block.length / 4);
  let low = 5381;
  let high = 0;
  for (let at = 2; at < words.length; at += 2) {
    const [wordLow, wordHigh] = [words[at] as number, words[at + 1] as number];
    const [first, second] = [wordLow & 0xffff, wordLow >>> 16];
    const small = first * FACTOR_FIRST;
    const middle = first * FACTOR_SECOND + second * FACTOR_FIRST + (small >>> 16);
    low ^= ((middle & 0xffff) << 16) | (small & 0xffff);
    high ^=
      second * FACTOR_SECOND +
      Math.floor(middle / 0x1_0000) +
      Math.imul(wordLow, FACTOR_HIGH) +
      Math.imul(wordHigh, FACTOR_LOW);
  }
  return words.length > 0 && words[0] === low >>> 0 && words[1] === high >>> 0;
}

/** The two halves of 0xbf58476d1ce4e5b9, by which the checksum multiplies each word. */
const FACTOR_HIGH = 0xbf58476d;
const FACTOR_LOW = 0x1ce4e5b9;
const FACTOR_FIRST = FACTOR_LOW & 0xffff;
const FACTOR_SECOND = FACTOR_LOW >>> 16;

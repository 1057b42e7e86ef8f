import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { encodeAnswer } from '../../../engine/http/formats/encode-rows.js';
import type { Cell } from '../../../engine/index.js';

const FACTS = { rows: 1, truncated: false, data_as_of: null, stale: false, notices: [] };

/** Writes a DECIMAL cell with two digits after the decimal point to Arrow, and returns the stored integer. */
function unscaled(cell: Cell): bigint {
  const column = { col: 'd', data_type: 'DECIMAL', scale: 2, nullable: true, description: 'A decimal' } as const;
  const { body } = encodeAnswer('arrow', { definition: { columns: [column] }, nesting: undefined }, [[cell]], FACTS);
  const words = tableFromIPC(body).getChild('d')?.get(0) as Uint32Array;
  const bits = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  return BigInt.asIntN(128, bits);
}

describe('decimals of Arrow', () => {
  it('are exact for numbers that JavaScript writes with an exponent', () => {
    for (const cell of [1e21, -1e21, 12_345_678 * 2 ** 60, -(2 ** 100), '1e+21']) {
      expect(unscaled(cell)).to.equal(BigInt(Number(cell)) * 100n);
    }
    expect([1e-7, 0.05, '-0.05', 123_456.785].map(unscaled)).to.deep.equal([0n, 5n, -5n, 12_345_679n]);
  });

  it('are rejected if they have too many digits', () => {
    expect(() => unscaled(1e36)).to.throw(TypeError, 'has more than 38 digits');
  });
});

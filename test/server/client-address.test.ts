import { expect } from 'chai';
import { networkOf } from '../../engine/http/limits/client-address.js';

describe('the key under which requests of a client are counted', () => {
  const networks: readonly (readonly [string, string | undefined])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['', undefined],
    ['unknown', undefined],
    ['192.0.2', undefined],
    ['192.0.2.7.1', undefined],
    ['192.0.2.7/24', undefined],
    ['2001:db8::1::2', undefined],
    ['[2001:db8::1', undefined],
    ['_hidden', undefined],
  ];
  for (const [address, network] of networks) {
    it(`for ${address === '' ? 'an empty address' : address} is ${network ?? 'undefined'}`, () => {
      expect(networkOf(address)).to.equal(network);
    });
  }
});

import { testQueries } from './query-tests.js';

/** Queries over columns of bytes. Every database returns the same rows. */
describe('the dialect: bytes in columns', () => {
  testQueries('are read by functions of bytes', [
    ['SELECT head, HEX(head) FROM files ORDER BY id', ['0x00ff5c27 | 00FF5C27', '0x | ', 'NULL | NULL']],
    [
      'SELECT LENGTH(head), OCTET_LENGTH(head), BIT_LENGTH(head), head IS NULL FROM files ORDER BY id',
      ['4 | 4 | 32 | 0', '0 | 0 | 0 | 0', 'NULL | NULL | NULL | 1'],
    ],
    [
      'SELECT MD5(head), SHA1(head), CRC32(head), TO_BASE64(head) FROM files WHERE id < 3 ORDER BY id',
      [
        'af9ef7cc5b1df9332f38aa884f4d83ea | cc92f14bcd1fcbce788a3425d8b78faebb2cd020 | 752372930 | AP9cJw==',
        'd41d8cd98f00b204e9800998ecf8427e | da39a3ee5e6b4b0d3255bfef95601890afd80709 | 0 | ',
      ],
    ],
    [
      'SELECT SHA2(head, 256) FROM files WHERE id = 2',
      ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ],
    ['SELECT COUNT(DISTINCT head), MAX(head), MIN(head) FROM files', ['2 | 0x00ff5c27 | 0x']],
    [
      "SELECT HEX(is_open), CONCAT(is_open, '!'), LENGTH(is_open), JSON_OBJECT('open', is_open) FROM files WHERE id = 1",
      ['1 | 1! | 1 | {"open": 1}'],
    ],
    [
      'SELECT HEX(day), HEX(at), HEX(price), HEX(person) FROM visits WHERE id = 1',
      ['323032302D30312D3035 | 323032302D30312D30352031303A30303A3030 | 2 | 416E6E'],
    ],
  ]);
});

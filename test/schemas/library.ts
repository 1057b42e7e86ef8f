import { dayText } from './moments.js';
import type { SampleSchema } from './sample-schema.js';

const LANGUAGES = ['de', 'en', 'fr', 'de,en', 'en,fr', 'ja', ''];
const TITLES = [
  'Faust',
  'L’Étranger',
  'Война и мир',
  '源氏物語',
  'Moby-Dick',
  'Ulysses',
  'Die Verwandlung',
  'Don Quijote',
  'अभिज्ञान',
  '1984',
];
const SHELVES = ['A', 'AB', 'B-1', 'b-1', 'ÄÖ', 'Z%9', 'C_3'];

/** A public library. */
export const LIBRARY: SampleSchema = {
  name: 'library',
  tables: [
    {
      name: 'authors',
      columns: {
        id: 'MEDIUMINT UNSIGNED NOT NULL',
        name: 'VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL',
        born: 'YEAR NULL',
        mentor_id: 'MEDIUMINT UNSIGNED NULL',
        biography: 'MEDIUMTEXT NULL',
        portrait: 'MEDIUMBLOB NULL',
      },
      key: ['id'],
      special: [
        [0, '', null, null, '', ''],
        [16777215, 'Ƶ'.repeat(60), 2155, 0, `${'long text ✓ '.repeat(900)}`, '00'.repeat(300)],
      ],
      rowsPerSize: 40,
      row: (random, index) => [
        index,
        `${random.pick(['Jean', 'jean', 'JEAN', 'Renée', 'Ōe', 'Zola', 'zola'])} ${random.pick(['de', 'van', ''])} ${index}`,
        random.chance(0.2) ? null : 1901 + random.below(120),
        random.chance(0.3) ? null : Math.max(0, Math.floor(index / 2)),
        random.chance(0.5)
          ? null
          : `Born in ${random.pick(['Köln', 'Paris', '東京'])}.\nWrote ${random.below(30)} books.`,
        random.chance(0.6) ? null : '89504e47'.repeat(random.below(4)),
      ],
    },
    {
      name: 'books',
      columns: {
        id: 'INT NOT NULL',
        isbn: 'CHAR(13) CHARACTER SET ascii NULL',
        title: 'VARCHAR(200) COLLATE utf8mb4_general_ci NOT NULL',
        author_id: 'MEDIUMINT UNSIGNED NULL',
        published: 'YEAR NULL',
        format: "ENUM('hardcover','paperback','e-book','größer') NOT NULL",
        languages: "SET('de','en','fr','ja') NOT NULL",
        pages: 'SMALLINT UNSIGNED NULL',
        price: 'DECIMAL(7,3) NULL',
        score: 'DECIMAL(5,4) NULL',
        abstract: 'LONGTEXT NULL',
        metadata: 'JSON NULL',
        cover: 'TINYBLOB NULL',
      },
      key: ['id'],
      special: [
        [-2147483648, null, '', null, null, 'hardcover', '', 0, '-9999.999', '-9.9999', '', '{}', ''],
        [
          2147483647,
          '9999999999999',
          '😀'.repeat(100),
          16777215,
          1901,
          'größer',
          'de,en,fr,ja',
          65535,
          '9999.999',
          '9.9999',
          null,
          '{"a": {"b": {"c": [null, true, false, 0, -1.5, "x\\"y"]}}}',
          'ff'.repeat(255),
        ],
        [
          -1,
          '0000000000000',
          "quote ' and \\ back",
          0,
          2155,
          'e-book',
          'en',
          1,
          '0.001',
          '0.0001',
          '%',
          '"text"',
          '00',
        ],
      ],
      rowsPerSize: 150,
      row: (random, index) => [
        index,
        random.chance(0.2) ? null : String(9_780_000_000_000 + index * 7),
        `${random.pick(TITLES)} ${index % 40}`,
        random.chance(0.1) ? null : 2 + random.below(38),
        random.chance(0.1) ? null : 1950 + random.below(75),
        random.pick(['hardcover', 'paperback', 'e-book', 'größer']),
        random.pick(LANGUAGES),
        random.chance(0.1) ? null : 20 + random.below(900),
        random.chance(0.2) ? null : (random.below(90_000) / 1000).toFixed(3),
        random.chance(0.3) ? null : (random.below(50_000) / 10_000).toFixed(4),
        random.chance(0.5)
          ? null
          : `A story of ${random.pick(['war', 'love', 'the sea'])}; ${random.pick(['chapter', 'Chapter'])} ${random.below(20)}.`,
        random.chance(0.3)
          ? null
          : JSON.stringify({
              publisher: random.pick(['Reclam', 'Gallimard', null]),
              edition: 1 + random.below(9),
              awards: ['A', 'B', 'C'].slice(random.below(4)),
              size: { w: random.below(30), h: random.below(40) },
            }),
        random.chance(0.6) ? null : 'cafe'.repeat(random.below(5)),
      ],
    },
    {
      name: 'members',
      columns: {
        id: 'INT UNSIGNED NOT NULL',
        card: 'BINARY(6) NOT NULL',
        name: 'VARCHAR(50) NOT NULL',
        born: 'DATE NULL',
        joined: 'DATE NOT NULL',
        is_active: 'BOOLEAN NOT NULL',
        fines: 'DECIMAL(6,2) NOT NULL',
        city: 'VARCHAR(40) CHARACTER SET latin1 NULL',
      },
      key: ['id'],
      special: [
        [0, '000000000000', '', null, '1000-01-01', 0, '-9999.99', null],
        [4294967295, 'ffffffffffff', 'ÿ'.repeat(50), '1000-01-01', '9999-12-31', 1, '9999.99', 'ÿ'.repeat(40)],
        [3, '0a0b0c0d0e0f', 'Leap', '1904-02-29', '2000-02-29', 1, '0.00', 'Århus'],
        [4, '0a0b0c0d0e10', 'leap ', '1896-02-29', '2100-02-28', 1, '0.05', 'århus'],
      ],
      rowsPerSize: 80,
      row: (random, index) => [
        index + 1,
        (index * 7919).toString(16).padStart(12, '0'),
        `${random.pick(['Anna', 'anna', 'Ånna', 'Bea', 'Čeněk'])} ${random.below(20)}`,
        random.chance(0.1) ? null : dayText('1930-01-01', random.below(29_000)),
        dayText('2015-01-01', random.below(4000)),
        random.below(2),
        (random.below(3000) / 100).toFixed(2),
        random.chance(0.2) ? null : random.pick(['Köln', 'Bonn', 'Zürich', 'Århus']),
      ],
    },
    {
      name: 'copies',
      columns: {
        barcode: 'VARBINARY(10) NOT NULL',
        book_id: 'INT NOT NULL',
        shelf: 'VARCHAR(10) COLLATE utf8mb4_bin NULL',
        bought_on: 'DATE NULL',
        state: 'TINYINT NOT NULL',
        flags: 'BIT(8) NOT NULL',
      },
      key: ['barcode'],
      special: [
        ['00', 2147483647, '', '1000-01-01', -128, 0],
        ['ffffffffffffffffffff', -2147483648, 'ÿ', '9999-12-31', 127, 255],
      ],
      rowsPerSize: 200,
      row: (random, index) => [
        index.toString(16).padStart(8, '0'),
        3 + random.below(147),
        random.chance(0.1) ? null : random.pick(SHELVES),
        random.chance(0.2) ? null : dayText('2010-01-01', random.below(5000)),
        random.below(6) - 1,
        random.below(256),
      ],
    },
    {
      name: 'loans',
      columns: {
        id: 'BIGINT NOT NULL',
        barcode: 'VARBINARY(10) NOT NULL',
        member_id: 'INT UNSIGNED NOT NULL',
        lent_on: 'DATE NOT NULL',
        lent_at: 'TIME NOT NULL',
        due_on: 'DATE NOT NULL',
        returned_on: 'DATE NULL',
        renewals: 'TINYINT UNSIGNED NOT NULL',
      },
      key: ['id'],
      special: [
        ['-9223372036854775808', '00', 0, '1000-01-01', '00:00:00', '1000-01-01', null, 0],
        [
          '9223372036854775807',
          'ffffffffffffffffffff',
          4294967295,
          '9999-12-31',
          '23:59:59',
          '9999-12-31',
          '9999-12-31',
          255,
        ],
      ],
      rowsPerSize: 600,
      row: (random, index) => {
        const day = random.below(1100);
        return [
          index,
          (2 + random.below(198)).toString(16).padStart(8, '0'),
          5 + random.below(75),
          dayText('2022-06-01', day),
          `${String(8 + random.below(12)).padStart(2, '0')}:${String(random.below(60)).padStart(2, '0')}:${String(random.below(60)).padStart(2, '0')}`,
          dayText('2022-06-01', day + 28),
          random.chance(0.15) ? null : dayText('2022-06-01', day + random.below(60)),
          random.below(4),
        ];
      },
    },
  ],
};

import { dayText, timeText } from './moments.js';
import type { SampleSchema } from './sample-schema.js';

const NAMES = ['Ada', 'ada', 'Zoë', 'Zoe\u0308', 'Ngô', '李小龍', 'O’Brien', "D'Arcy", 'Ærø', 'Müller', '🦊 Fox', 'Straße', ' lead', 'Иван'];
const COUNTRIES = ['DE', 'FR', 'IT', 'JP', 'US', 'BR'];
const CATEGORIES = ['books', 'toys', 'food', 'other'];
const STATUSES = ['new', 'paid', 'shipped', 'returned', 'cancelled'];
const TAGS = ['', 'vip', 'b2b', 'vip,b2b', 'student', 'vip,student'];

/** A web shop. */
export const SHOP: SampleSchema = {
  name: 'shop',
  tables: [
    {
      name: 'customers',
      columns: {
        id: 'INT UNSIGNED NOT NULL',
        name: 'VARCHAR(80) COLLATE utf8mb4_general_ci NOT NULL',
        email: 'VARCHAR(120) CHARACTER SET ascii NULL',
        country: 'CHAR(2) CHARACTER SET latin1 NULL',
        birthday: 'DATE NULL',
        newsletter: 'BOOLEAN NOT NULL',
        tags: "SET('vip','b2b','student') NOT NULL",
        created_at: 'DATETIME NOT NULL',
        notes: 'TEXT NULL',
        prefs: 'JSON NULL',
      },
      key: ['id'],
      special: [
        [0, '', '', null, null, 0, '', '1000-01-01 00:00:00', '', null],
        [4294967295, '🦊'.repeat(20), 'x@example.com', 'ZZ', '9999-12-31', 1, 'vip,b2b,student', '9999-12-31 23:59:59', 'a\tb\nc\\d"e\'', '{"theme": "dark", "n": 12345678901234567890}'],
        [3, '%_\\', null, 'DE', '2000-02-29', 1, 'vip', '2024-02-29 12:00:00', null, '[]'],
      ],
      rowsPerSize: 120,
      row: (random, index) => [
        index + 10,
        random.pick(NAMES),
        random.chance(0.2) ? null : `user${index}@example.${random.pick(['com', 'org'])}`,
        random.chance(0.1) ? null : random.pick(COUNTRIES),
        random.chance(0.3) ? null : dayText('1940-01-01', random.below(24_000)),
        random.below(2),
        random.pick(TAGS),
        timeText('2023-01-01', random.below(900 * 86_400)),
        random.chance(0.7) ? null : random.pick(['late payer', 'calls; writes', 'ünïcode ✓', '']),
        random.chance(0.3) ? null : JSON.stringify({ theme: random.pick(['dark', 'light']), size: random.below(5), tags: ['a', 'b'].slice(random.below(2)) }),
      ],
    },
    {
      name: 'products',
      columns: {
        id: 'SMALLINT UNSIGNED NOT NULL',
        sku: 'CHAR(8) NOT NULL',
        title: 'VARCHAR(100) COLLATE utf8mb4_unicode_ci NOT NULL',
        category: "ENUM('books','toys','food','other') NOT NULL",
        price: 'DECIMAL(10,2) NOT NULL',
        weight: 'FLOAT NULL',
        stock: 'MEDIUMINT NOT NULL',
        rating: 'DOUBLE NULL',
        attrs: 'JSON NULL',
        digest: 'BINARY(4) NULL',
        discontinued: 'BIT(1) NOT NULL',
      },
      key: ['id'],
      special: [
        [0, '', '', 'books', '-99999999.99', '-3.402823466e38', -8388608, '-1.7976931348623157e308', null, '00000000', 0],
        [65535, 'ZZZZZZZZ', 'z'.repeat(100), 'other', '99999999.99', '3.402823466e38', 8388607, '1.7976931348623157e308', '{"color": null, "deep": {"a": [1, 2, {"b": "✓"}]}}', 'ffffffff', 1],
        [3, '00000003', '100% cotton_shirt', 'toys', '0.01', '0.1', 0, '5e-324', '{"color": "red", "sizes": [38, 40]}', '00ff7f80', 0],
      ],
      rowsPerSize: 60,
      row: (random, index) => [
        10 + (index % 60_000),
        `S${String(index).padStart(7, '0')}`,
        `${random.pick(['Red', 'Blue', 'Größe', 'été'])} ${random.pick(['tea', 'cup', 'book', 'robot'])} ${index}`,
        random.pick(CATEGORIES),
        (random.below(20_000) / 100).toFixed(2),
        random.chance(0.2) ? null : Math.fround(random.below(10_000) / 1000),
        random.below(500) - 20,
        random.chance(0.2) ? null : random.below(50) / 10,
        random.chance(0.3) ? null : JSON.stringify({ color: random.pick(['red', 'blue', 'green']), sizes: [random.below(50)] }),
        random.chance(0.5) ? null : (random.int32() >>> 0).toString(16).padStart(8, '0'),
        random.below(2),
      ],
    },
    {
      name: 'orders',
      columns: {
        id: 'BIGINT UNSIGNED NOT NULL',
        customer_id: 'INT UNSIGNED NOT NULL',
        status: "ENUM('new','paid','shipped','returned','cancelled') NOT NULL",
        ordered_at: 'DATETIME NOT NULL',
        shipped_on: 'DATE NULL',
        total: 'DECIMAL(12,2) NOT NULL',
        currency: 'CHAR(3) NOT NULL',
        remark: 'TINYTEXT NULL',
        updated_at: 'TIMESTAMP NOT NULL',
      },
      key: ['id'],
      special: [
        ['18446744073709551615', 0, 'cancelled', '9999-12-31 23:59:59', '9999-12-31', '9999999999.99', 'XXX', '', '2038-01-19 03:14:07'],
        [0, 4294967295, 'new', '1000-01-01 00:00:00', '1000-01-01', '-9999999999.99', 'XXX', '✓'.repeat(80), '1970-01-01 00:00:01'],
        ['9007199254740993', 3, 'paid', '2024-02-29 23:59:59', '2024-03-01', '0.00', 'EUR', null, '2024-02-29 23:59:59'],
      ],
      rowsPerSize: 400,
      row: (random, index) => {
        const day = random.below(730);
        const status = random.pick(STATUSES);
        return [
          index + 100,
          13 + random.below(115),
          status,
          timeText('2024-01-01', day * 86_400 + random.below(86_400)),
          status === 'shipped' || status === 'returned' ? dayText('2024-01-01', day + random.below(9)) : null,
          (random.below(100_000) / 100).toFixed(2),
          random.pick(['EUR', 'USD', 'JPY']),
          random.chance(0.8) ? null : random.pick(['gift', 'Gift', 'call first', '']),
          timeText('2024-01-02', day * 86_400 + random.below(86_400)),
        ];
      },
    },
    {
      name: 'order_items',
      columns: {
        order_id: 'BIGINT UNSIGNED NOT NULL',
        line: 'TINYINT UNSIGNED NOT NULL',
        product_id: 'SMALLINT UNSIGNED NOT NULL',
        quantity: 'SMALLINT NOT NULL',
        unit_price: 'DECIMAL(10,2) NOT NULL',
        discount: 'DECIMAL(4,3) NULL',
      },
      key: ['order_id', 'line'],
      special: [
        ['18446744073709551615', 255, 65535, 32767, '99999999.99', '9.999'],
        [0, 0, 0, -32768, '-99999999.99', '-9.999'],
      ],
      rowsPerSize: 1_000,
      row: (random, index) => [
        100 + Math.floor(index / 3),
        1 + (index % 3),
        13 + random.below(55),
        1 + random.below(5),
        (random.below(20_000) / 100).toFixed(2),
        random.chance(0.6) ? null : (random.below(500) / 1000).toFixed(3),
      ],
    },
  ],
};

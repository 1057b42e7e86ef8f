/** Texts that are equal if a comparison ignores trailing spaces, case or Unicode normalization. */
export const TEXTS = [
  'x',
  'x ',
  'x  ',
  'x\t',
  'x\u0001',
  'X',
  '\u00e9',
  'e\u0301',
  '\u{1f600}',
  '\u{1f600} ',
  '\uffff',
  '',
];

/** The small tables that the queries of the dialect tests read. */
export const TABLES: readonly string[] = [
  `CREATE TABLE visits (
    id INT NOT NULL PRIMARY KEY, person VARCHAR(20), city VARCHAR(20), day DATE, at DATETIME, pages INT,
    price DECIMAL(10,2), rate DOUBLE
  )`,
  'CREATE TABLE cities (name VARCHAR(20) NOT NULL PRIMARY KEY, country CHAR(2), people BIGINT)',
  `CREATE TABLE things (
    id INT NOT NULL PRIMARY KEY, big BIGINT, ubig BIGINT UNSIGNED, tiny TINYINT, amount DECIMAL(9,3),
    wide DECIMAL(20,3), x DOUBLE, name VARCHAR(40), day DATE, at DATETIME(6)
  )`,
  'CREATE TABLE files (id INT NOT NULL PRIMARY KEY, head VARBINARY(8), is_open BOOLEAN)',
  'CREATE TABLE texts (i INT NOT NULL PRIMARY KEY, t VARCHAR(20) NOT NULL, UNIQUE KEY (t))',
];

export const ROWS: readonly string[] = [
  `INSERT INTO visits VALUES
    (1, 'Ann', 'Rome', '2020-01-05', '2020-01-05 10:00:00', 3, 1.50, 0.1),
    (2, 'ann', 'rome', '2020-01-06', '2020-01-06 23:59:59', 5, 2.25, 0.2),
    (3, 'Bob', 'Oslo', '2020-01-31', '2020-01-31 00:00:00', NULL, NULL, 0.3),
    (4, 'bob', NULL, '2020-02-29', '2020-02-29 12:30:00', 7, 10.00, NULL),
    (5, NULL, 'Oslo', '2020-03-01', '2020-03-01 08:00:00', 1, 0.99, 2),
    (6, 'Cy', 'Lima', NULL, NULL, 0, 0, 1.5)`,
  "INSERT INTO cities VALUES ('Rome', 'IT', 2800000), ('Oslo', 'NO', 700000), ('Bern', 'CH', 130000)",
  `INSERT INTO things VALUES
    (1, 9007199254740993, 18446744073709551615, 1, 0.125, 1234567.125, 0.5, '😀 face', '2020-02-29', '2020-02-29 23:59:59'),
    (2, 9223372036854775807, 9007199254740993, -1, -0.005, -0.005, 2.5, 'Ünïcode', '2019-12-31', '2019-12-31 00:00:00'),
    (3, -9223372036854775808, 0, 127, 999999.999, 99.995, 1e20, '漢字🎉x', '2024-12-30', '2024-12-30 12:00:00.5'),
    (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (5, 42, 42, 0, 0.000, 0.000, 0.1, '', '2021-01-03', '2021-01-03 06:07:08'),
    (6, 12, 7, 5, 2.345, 2.345, -2.5, '12 apples', '2023-03-31', '2023-03-31 13:14:15'),
    (7, 12, 7, 5, 2.345, 2.345, 1e-7, 'a_b%c', '2000-02-29', '2000-02-29 01:00:00'),
    (8, 7, 8, 9, 1.5, 1.5, 3.5, 'trail ', '1970-01-01', '1970-01-01 00:00:01')`,
  "INSERT INTO files SELECT 1, UNHEX('00ff5c27'), TRUE UNION ALL SELECT 2, UNHEX(''), FALSE UNION ALL SELECT 3, NULL, NULL",
  `INSERT INTO texts VALUES ${TEXTS.map((text, i) => `(${i}, '${text}')`).join(', ')}`,
];

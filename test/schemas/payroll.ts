import { dayText, timeText } from './moments.js';
import type { SampleSchema } from './sample-schema.js';

const clock = (seconds: number) => timeText('2000-01-01', seconds).slice(11);

/** Employees and their payments. */
export const PAYROLL: SampleSchema = {
  name: 'payroll',
  tables: [
    {
      name: 'departments',
      columns: {
        code: 'VARCHAR(8) COLLATE utf8mb4_bin NOT NULL',
        name: 'TINYTEXT NOT NULL',
        parent: 'VARCHAR(8) COLLATE utf8mb4_bin NULL',
        budget: 'DECIMAL(18,4) NULL',
        founded: 'YEAR NULL',
      },
      key: ['code'],
      special: [
        ['', 'nothing', null, null, null],
        ['ROOT', 'Company', null, '99999999999999.9999', 1999],
        ['DEV', 'Development', 'ROOT', '1250000.5000', 2001],
        ['dev', 'development (old)', 'ROOT', '-99999999999999.9999', 1901],
        ['WEB', 'Web', 'DEV', '300000.0001', 2010],
        ['API', 'Schnittstellen', 'DEV', '0.0001', 2155],
        ['HR', 'Personal', 'ROOT', '200000.0000', 2003],
      ],
    },
    {
      name: 'employees',
      columns: {
        id: 'INT NOT NULL',
        department: 'VARCHAR(8) COLLATE utf8mb4_bin NULL',
        manager_id: 'INT NULL',
        first_name: 'VARCHAR(40) NOT NULL',
        last_name: 'VARCHAR(40) NOT NULL',
        title: "ENUM('intern','junior','senior','lead','chief') NOT NULL",
        skills: "SET('sql','js','go','c++') NOT NULL",
        hired_on: 'DATE NOT NULL',
        left_on: 'DATE NULL',
        born_on: 'DATE NULL',
        hours: 'DECIMAL(4,2) NOT NULL',
        is_manager: 'BOOLEAN NOT NULL',
        iban: 'CHAR(22) CHARACTER SET ascii NULL',
        badge: 'BINARY(16) NULL',
        contract: 'LONGBLOB NULL',
        profile: 'JSON NULL',
      },
      key: ['id'],
      special: [
        [1, 'ROOT', null, 'Grace', 'Hopper', 'chief', 'sql,js,go,c++', '2000-02-29', null, '1906-12-09', '40.00', 1, 'DE89370400440532013000', 'ff'.repeat(16), '00', '{"languages": ["en", "de"], "car": true}'],
        [2, null, 1, '', '', 'intern', '', '1000-01-01', '1000-01-01', '1000-01-01', '-99.99', 0, '', '00'.repeat(16), '', '[]'],
        [2147483647, 'HR', 1, 'Ñ'.repeat(40), '👩‍💻'.repeat(10), 'lead', 'c++', '9999-12-31', '9999-12-31', '9999-12-31', '99.99', 1, 'X'.repeat(22), '0123456789abcdef0123456789abcdef', 'ff'.repeat(1000), '{"languages": [], "car": null}'],
      ],
      rowsPerSize: 120,
      row: (random, index) => {
        const hired = random.below(6000);
        return [
          index + 1,
          random.pick(['DEV', 'WEB', 'API', 'HR', 'dev']),
          random.chance(0.05) ? null : 1 + Math.floor(index / 5),
          random.pick(['Ann', 'Bob', 'Çelik', 'Dörte', 'Émile', 'bob']),
          random.pick(['Smith', 'Müller', 'O’Neil', 'de la Cruz', 'Wu', 'smith']),
          random.pick(['intern', 'junior', 'senior', 'lead']),
          random.pick(['', 'sql', 'js', 'sql,js', 'go', 'sql,go,c++']),
          dayText('2008-01-01', hired),
          random.chance(0.8) ? null : dayText('2008-01-01', hired + 30 + random.below(1500)),
          random.chance(0.1) ? null : dayText('1955-01-01', random.below(18_000)),
          random.pick(['40.00', '38.50', '20.00', '7.75']),
          index % 5 === 0 ? 1 : 0,
          random.chance(0.3) ? null : `DE${String(index).padStart(20, '0')}`,
          random.chance(0.3) ? null : (random.int32() >>> 0).toString(16).padStart(32, '0'),
          null,
          random.chance(0.3) ? null : JSON.stringify({ languages: ['de', 'en', 'fr'].slice(random.below(3)), car: random.chance(0.5), level: random.below(10) / 4 }),
        ];
      },
    },
    {
      name: 'salaries',
      columns: {
        employee_id: 'INT NOT NULL',
        valid_from: 'DATE NOT NULL',
        amount: 'DECIMAL(12,4) NOT NULL',
        bonus: 'DECIMAL(20,8) NULL',
        rate: 'DOUBLE NULL',
        factor: 'FLOAT NULL',
        currency: 'CHAR(3) NOT NULL',
      },
      key: ['employee_id', 'valid_from'],
      special: [
        [1, '2000-02-29', '99999999.9999', '999999999999.99999999', '0.1', '0.5', 'EUR'],
        [2, '1000-01-01', '-99999999.9999', '-999999999999.99999999', '-0', '-0.25', 'XXX'],
        [1, '2024-02-29', '0.0000', '0.00000001', '1e-300', '1e-30', 'USD'],
      ],
      rowsPerSize: 300,
      row: (random, index) => [
        4 + (index % 116),
        dayText('2020-01-01', Math.floor(index / 116) * 366 + random.below(300)),
        (2000 + random.below(80_000_000) / 10_000).toFixed(4),
        random.chance(0.4) ? null : (random.below(1_000_000_000) / 1e8).toFixed(8),
        random.chance(0.2) ? null : random.below(100) / 8,
        random.chance(0.2) ? null : random.below(64) / 32,
        random.pick(['EUR', 'EUR', 'USD', 'CHF']),
      ],
    },
    {
      name: 'timesheets',
      columns: {
        id: 'BIGINT UNSIGNED NOT NULL',
        employee_id: 'INT NOT NULL',
        day: 'DATE NOT NULL',
        started: 'TIME NOT NULL',
        ended: 'TIME NULL',
        break_minutes: 'TINYINT UNSIGNED NOT NULL',
        booked_at: 'DATETIME(3) NOT NULL',
        approved_at: 'TIMESTAMP NULL',
        kind: "ENUM('work','holiday','sick','training') NOT NULL",
        note: 'VARCHAR(255) NULL',
        checksum: 'INT UNSIGNED NOT NULL',
      },
      key: ['id'],
      special: [
        ['18446744073709551615', 2147483647, '9999-12-31', '00:00:00', '23:59:59', 255, '9999-12-31 23:59:59.999', '2038-01-19 03:14:07', 'training', '-- x', 4294967295],
        [0, -2147483648, '1000-01-01', '00:00:00', null, 0, '1000-01-01 00:00:00.000', '1970-01-01 00:00:01', 'work', '', 0],
        [1, 1, '2024-02-29', '08:00:00', '16:30:00', 30, '2024-02-29 16:30:00.500', null, 'work', null, 1],
      ],
      rowsPerSize: 800,
      row: (random, index) => {
        const day = random.below(500);
        const start = 6 * 3600 + random.below(5 * 3600);
        return [
          index,
          4 + random.below(116),
          dayText('2024-01-01', day),
          clock(start),
          random.chance(0.05) ? null : clock(start + 3600 + random.below(9 * 3600)),
          random.pick([0, 30, 45, 60]),
          `${timeText('2024-01-01', day * 86_400 + 64_800 + random.below(20_000))}.${String(random.below(1000)).padStart(3, '0')}`,
          random.chance(0.4) ? null : timeText('2024-01-02', day * 86_400 + random.below(500_000)),
          random.chance(0.7) ? 'work' : random.pick(['holiday', 'sick', 'training']),
          random.chance(0.7) ? null : random.pick(['home office', 'Home Office', 'Kunde: Müller & Söhne', 'ticket #42; 50%', '']),
          random.int32() >>> 0,
        ];
      },
    },
  ],
};

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoService, startDemoService } from '../demo-service.js';

/** Starts a service with only these definitions and very few data. */
export async function startFormattedService(
  definitions: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-definitions-'));
  for (const [name, text] of Object.entries(definitions)) await writeFile(join(folder, `${name}.yaml`), text);
  const demo = await startDemoService({ ENDPOINTS_DIR: folder, VERSION_POLL_MS: '50', ...environment });
  const close = async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  };
  return { ...demo, close };
}

/** A definition with every type: values that a format could damage, a row of NULL, and a row of empty or small values. */
export const TYPES = `name: types
path: /v1/formats/types/
summary: Values of every type
columns:
  - { col: id, data_type: INT, nullable: false, description: Order }
  - { col: big, data_type: BIGINT, nullable: true, description: Beyond 2^53 }
  - { col: price, data_type: DECIMAL, scale: 2, nullable: true, description: With a scale }
  - { col: exact, data_type: DECIMAL, scale: 6, nullable: true, description: More than 15 digits }
  - { col: ratio, data_type: DOUBLE, nullable: true, description: Floating point }
  - { col: day, data_type: DATE, nullable: true, description: Day }
  - { col: at, data_type: DATETIME, nullable: true, description: Time }
  - { col: text, data_type: VARCHAR, nullable: true, description: Text }
sql: |
  SELECT 1 AS id, 9007199254740993 AS big, CAST(12.5 AS DECIMAL(10, 2)) AS price,
    CAST('1234567890123.123456' AS DECIMAL(30, 6)) AS exact, CAST(0.25 AS DOUBLE) AS ratio,
    CAST('2024-02-29' AS DATE) AS day, CAST('2024-02-29 23:59:58' AS DATETIME) AS at,
    'a "quoted", text' AS text
  UNION ALL SELECT 2, -9007199254740993, CAST(-0.05 AS DECIMAL(10, 2)), CAST('-0.000001' AS DECIMAL(30, 6)),
    CAST(-1.5 AS DOUBLE), CAST('1969-12-31' AS DATE), CAST('1969-12-31 23:59:59' AS DATETIME), '=1+1'
  UNION ALL SELECT 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  UNION ALL SELECT 4, 0, CAST(0 AS DECIMAL(10, 2)), CAST('0' AS DECIMAL(30, 6)), CAST(0 AS DOUBLE),
    CAST('2024-01-01' AS DATE), CAST('2024-01-01 00:00:00' AS DATETIME), ''
  UNION ALL SELECT 5, 1, CAST(1 AS DECIMAL(10, 2)), CAST('1' AS DECIMAL(30, 6)), CAST(1 AS DOUBLE),
    CAST('2024-01-01' AS DATE), CAST('2024-01-01 00:00:00' AS DATETIME), 'öäü 😀'
  ORDER BY id
`;

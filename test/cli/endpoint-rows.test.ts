import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { run, runProcess } from './command-line.js';

/** Returns a definition that selects the numbers from 1 to 5,000. */
function numbersDefinition(name: string, limits: string, text = "CONCAT('n', n.number)"): string {
  return `name: ${name}
summary: Numbers
columns:
  - { col: number, data_type: BIGINT, nullable: false, description: Number }
  - { col: name, data_type: VARCHAR, nullable: true, description: Name }
sql: SELECT n.number AS number, ${text} AS name FROM numbers n
limits: { ${limits} }
lint: { unstable-pages: The order does not matter }
`;
}

/** Returns a definition that selects pairs of numbers in groups of ten: 8, 9, 10, 11, 20, … */
function nestedDefinition(name: string, limits: string): string {
  return `name: ${name}
summary: Numbers in groups
columns:
  - { col: ten, data_type: BIGINT, nullable: false, description: The first number of the group }
  - { col: number, data_type: BIGINT, nullable: false, description: Number }
nest: { numbers: { columns: [number], by: [ten] } }
sql: |
  SELECT n.number - n.number % 10 AS ten, n.number AS number FROM numbers n
  WHERE n.number IN (8, 9) OR (n.number > 9 AND n.number % 10 < 2) ORDER BY ten, number
limits: { ${limits} }
`;
}

const NUMBERS = Array.from({ length: 5_000 }, (_, index) => index + 1);
const TRUNCATED = 'The result is truncated: more rows exist than these 3.\n';

describe('endpoint run --csv and --ndjson', () => {
  let folder: string;
  let environment: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-rows-'));
    const database = join(folder, 'numbers.duckdb');
    const instance = await DuckDBInstance.create(database);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE numbers AS SELECT i AS number FROM range(1, 5001) t(i)');
    connection.closeSync();
    instance.closeSync();
    const endpoints = join(folder, 'endpoints');
    await mkdir(endpoints);
    const definitions = {
      short: numbersDefinition('short', 'rows: 3'),
      streamed: numbersDefinition('streamed', 'rows: 3, stream_rows: 10000'),
      cut: numbersDefinition('cut', 'rows: 2, stream_rows: 3'),
      nested: nestedDefinition('nested', 'rows: 4'),
      'nested-stream': nestedDefinition('nested-stream', 'rows: 3, stream_rows: 4'),
      broken: numbersDefinition(
        'broken',
        'rows: 3, stream_rows: 10000',
        'EXP(CASE WHEN n.number = 5000 THEN 1000 ELSE 0 END)',
      ),
    };
    for (const [name, text] of Object.entries(definitions)) await writeFile(join(endpoints, `${name}.yaml`), text);
    environment = { DATA_DIR: folder, ENDPOINTS_DIR: endpoints, DATABASE_URL: `duckdb:${database}` };
  });
  after(() => rm(folder, { recursive: true }));

  it('prints all rows of a streamed definition, in a process too', async () => {
    const csv = await run(['endpoint', 'run', 'streamed', '--csv'], { environment });
    expect(csv).to.deep.equal({
      code: 0,
      out: `number,name\r\n${NUMBERS.map((number) => `${number},n${number}\r\n`).join('')}`,
      err: '',
    });
    const { code, out, err } = await runProcess(['endpoint', 'run', 'streamed', '--ndjson'], { environment });
    expect([code, err]).to.deep.equal([0, '']);
    const lines = out.split('\n');
    expect(lines.slice(0, -2)).to.deep.equal(NUMBERS.map((number) => `{"number":${number},"name":"n${number}"}`));
    expect(JSON.parse(lines.at(-2) ?? '')._end).to.include({ rows: 5_000, truncated: false });
  });

  for (const name of ['short', 'cut']) {
    it(`reports missing rows of the definition ${name} and exits with 1`, async () => {
      const csv = await run(['endpoint', 'run', name, '--csv'], { environment });
      expect(csv).to.deep.equal({
        code: 1,
        out: 'number,name\r\n1,n1\r\n2,n2\r\n3,n3\r\n_truncated: more rows exist than these 3,\r\n',
        err: TRUNCATED,
      });
      const ndjson = await run(['endpoint', 'run', name, '--ndjson'], { environment });
      expect([ndjson.code, ndjson.err]).to.deep.equal([1, TRUNCATED]);
      const lines = ndjson.out.trimEnd().split('\n');
      expect(lines).to.have.length(4);
      expect(JSON.parse(lines[3] ?? '')._end).to.include({ rows: 3, truncated: true });
    });
  }

  it('prints parents with their lists as lines of NDJSON, and counts them', async () => {
    for (const name of ['nested', 'nested-stream']) {
      const { code, out, err } = await run(['endpoint', 'run', name, '--ndjson'], { environment });
      const lines = out.trimEnd().split('\n');
      expect([code, err, lines.slice(0, -1)]).to.deep.equal([
        1,
        'The result is truncated: more rows exist than these 2.\n',
        ['{"ten":0,"numbers":[{"number":8},{"number":9}]}', '{"ten":10,"numbers":[{"number":10},{"number":11}]}'],
      ]);
      expect(JSON.parse(lines[2] ?? '')._end).to.include({ rows: 2, truncated: true });
    }
  });

  it('reports a failure of the last row without a closing record', async () => {
    const { code, out, err } = await run(['endpoint', 'run', 'broken', '--ndjson'], { environment });
    expect([code, err]).to.deep.equal([2, 'A number is out of range: a DOUBLE in the result is infinite or NaN.\n']);
    expect(out)
      .to.match(/^\{"number":1,.*\}\n$/s)
      .and.not.contain('_end');
  });

  it('rejects two formats at once', async () => {
    for (const other of ['--ndjson', '--json']) {
      const { code, err } = await run(['endpoint', 'run', 'short', '--csv', other], { environment });
      expect([code, err.includes('cannot be used with option')]).to.deep.equal([2, true]);
    }
  });
});

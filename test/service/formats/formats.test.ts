import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { ARROW_END_KEY } from '../../../engine/http/formats/arrow.js';
import { onBothDatabases } from '../../services/mysql.js';
import type { DemoService } from '../demo-service.js';
import { startFormattedService, TYPES } from './formatted-service.js';
import { NESTED_DEFINITIONS, testNestedRows } from './nested-rows.js';

const CUT = `name: cut
path: /v1/formats/cut/
summary: More rows than the limit
params:
  format: { in: query, type: string, default: short, description: A parameter of the definition }
columns:
  - { col: name, data_type: VARCHAR, nullable: true, description: Name }
sql: |
  SELECT x.name AS name FROM (
    SELECT 1 AS place, '+1' AS name UNION ALL SELECT 2, NULL UNION ALL SELECT 3, '' UNION ALL SELECT 4, {{ format }}
  ) x ORDER BY x.place
limits: { rows: 3 }
`;

const ITEM = `name: item
path: /v1/formats/items/{item}
summary: One item
params:
  item: { in: path, type: string, maxLength: 50, description: Its name }
columns:
  - { col: item, data_type: VARCHAR, nullable: false, description: Name }
sql: SELECT {{ item }} AS item
`;

const LONG = `name: long
summary: A long text
columns:
  - { col: name, data_type: VARCHAR, nullable: false, description: Name }
sql: SELECT REPEAT('ab', 1000) AS name
`;

const LABELLED = `name: labelled
summary: Columns with labels
columns:
  - { col: kind, label: =Kind, data_type: VARCHAR, nullable: false, description: Kind }
  - { col: weight, label: 'Weight, dry', data_type: BIGINT, nullable: false, unit: g, description: Weight }
  - { col: baked_on, data_type: DATE, nullable: false, description: Day }
sql: SELECT 'rye' AS kind, 900 AS weight, CAST('2026-01-31' AS DATE) AS baked_on
`;

const PAGED = `name: paged
path: /v1/formats/paged/
summary: Pages
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
sql: SELECT x.id AS id FROM (SELECT 1 AS id UNION ALL SELECT 2 UNION ALL SELECT 3) x ORDER BY x.id
pagination: { default: 2, max: 10, total: true }
`;

const CSV_TYPES = [
  'id,big,price,exact,ratio,day,at,text',
  '1,9007199254740993,12.50,1234567890123.123456,0.25,2024-02-29,2024-02-29 23:59:58,"a ""quoted"", text"',
  '2,-9007199254740993,-0.05,-0.000001,-1.5,1969-12-31,1969-12-31 23:59:59,=1+1',
  '3,,,,,,,',
  '4,0,0.00,0.000000,0,2024-01-01,2024-01-01 00:00:00,""',
  '5,1,1.00,1.000000,1,2024-01-01,2024-01-01 00:00:00,öäü 😀',
  '',
].join('\r\n');

/** In Arrow, decimals are integers without the decimal point, and times are milliseconds since 1970. */
const ARROW_CELLS = [
  [
    '1',
    '9007199254740993',
    '1250',
    '1234567890123123456',
    '0.25',
    '1709164800000',
    '1709251198000',
    'a "quoted", text',
  ],
  ['2', '-9007199254740993', '-5', '-1', '-1.5', '-86400000', '-1000', '=1+1'],
  ['3', 'null', 'null', 'null', 'null', 'null', 'null', 'null'],
  ['4', '0', '0', '0', '0', '1704067200000', '1704067200000', ''],
  ['5', '1', '100', '1000000', '1', '1704067200000', '1704067200000', 'öäü 😀'],
];

onBothDatabases('formats of answers', (database, isServer) => {
  let demo: DemoService;
  before(async () => {
    const own = { types: TYPES, cut: CUT, item: ITEM, labelled: LABELLED, paged: PAGED, long: LONG };
    demo = await startFormattedService({ ...own, ...NESTED_DEFINITIONS }, database());
  });
  after(() => demo.close());

  const text = async (path: string, accept?: string) => {
    const response = await demo.get(path, accept === undefined ? {} : { headers: { Accept: accept } });
    return [response.status, response.headers.get('content-type')?.split(';')[0], await response.text()];
  };

  it('writes CSV by RFC 4180 with exact cells, also for /v1, by format, suffix and Accept', async () => {
    for (const path of [
      '/q/types?format=csv',
      '/q/types.csv',
      '/v1/formats/types.csv',
      '/v1/formats/types/?format=csv',
    ]) {
      expect(await text(path)).to.deep.equal([200, 'text/csv', CSV_TYPES]);
    }
    expect(await text('/q/types', 'text/csv')).to.deep.equal([200, 'text/csv', CSV_TYPES]);
    const records = parse(CSV_TYPES, { columns: true });
    expect(records).to.have.length(5);
  });

  it('sends the metadata of CSV in headers', async () => {
    const { headers } = await demo.get('/q/types.csv');
    const names = [
      'content-type',
      'content-disposition',
      'x-row-count',
      'x-truncated',
      'x-stale',
      'x-data-as-of',
      'vary',
    ];
    expect(names.map((name) => headers.get(name))).to.deep.equal([
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="types.csv"',
      '5',
      'false',
      'true',
      null,
      'Accept, Accept-Encoding',
    ]);
  });

  it('continue pages by the cursor of a header or of the closing record, and state the total', async () => {
    const { nextCursor } = (await (await demo.get('/q/paged')).json()) as { nextCursor: string };
    const factsOf = (path: string) =>
      demo.get(path).then(({ headers }) => ['x-next-cursor', 'x-total-count'].map((name) => headers.get(name)));
    const endOf = async (path: string) => {
      const lines = String((await text(path))[2]);
      return (JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '') as { _end: object })._end;
    };
    for (const format of ['csv', 'ndjson', 'arrow']) {
      expect(await factsOf(`/q/paged.${format}`)).to.deep.equal([nextCursor, '3']);
      expect(await factsOf(`/q/paged.${format}?cursor=${nextCursor}`)).to.deep.equal([null, '3']);
    }
    expect(await endOf('/q/paged.ndjson')).to.deep.include({ next_cursor: nextCursor, total: 3 });
    const end = await endOf(`/q/paged.ndjson?cursor=${nextCursor}&closing_record=true`);
    expect(end).to.deep.include({ next_cursor: null, total: 3 });
    expect(await text(`/q/paged.csv?cursor=${nextCursor}`)).to.deep.equal([200, 'text/csv', 'id\r\n3\r\n']);
  });

  it('have the link to the next page in every format, which returns this page in the same format', async () => {
    const linkOf = (response: Response) => /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    for (const prefix of ['/v1/formats/paged', '/q/paged']) {
      for (const format of ['json', 'csv', 'ndjson', 'arrow']) {
        const named = format === 'json' ? prefix : `${prefix}.${format}`;
        for (const path of [named, `${prefix}?format=${format}`]) {
          const first = await demo.get(path);
          const link = linkOf(first) ?? 'no link';
          expect(link).to.match(path.includes('?') ? /\?format=\w+&page=2$/ : /\?page=2$/);
          const second = await demo.get(link);
          expect([path, second.status, linkOf(second)]).to.deep.equal([path, 200, undefined]);
          expect(second.headers.get('content-type')).to.equal(first.headers.get('content-type'));
          if (format !== 'json') expect(second.headers.get('x-row-count')).to.equal('1');
          expect(linkOf(await demo.get(path, { method: 'HEAD' }))).to.equal(link);
        }
      }
    }
  });

  it('writes NDJSON with the values of /q and a closing record', async () => {
    const { data } = (await (await demo.get('/q/types')).json()) as { data: object[] };
    const [status, type, body] = await text('/v1/formats/types.ndjson');
    expect([status, type]).to.deep.equal([200, 'application/x-ndjson']);
    const lines = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const end = { rows: 5, truncated: false, data_as_of: null, stale: true, notices: [] };
    expect(lines).to.deep.equal([...data, { _end: end }]);
    expect(await text('/q/types', 'application/ndjson')).to.deep.equal([status, type, body]);
  });

  it('writes Arrow with exact values, NULL and a closing record', async () => {
    const response = await demo.get('/q/types.arrow');
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).to.deep.equal([
      'id Int64',
      'big Int64',
      'price Decimal[38e+2]',
      'exact Decimal[38e+6]',
      'ratio Float64',
      'day Date32<DAY>',
      'at Timestamp<SECOND, UTC>',
      'text Utf8',
    ]);
    const cells = table.toArray().map((row: { toArray(): unknown[] } | null) => row?.toArray().map(String));
    expect(cells).to.deep.equal(ARROW_CELLS);
    const end = table.batches.at(-1)?.metadata.get(ARROW_END_KEY);
    expect(JSON.parse(end ?? '')).to.deep.include({ rows: 5, truncated: false });
  });

  it('states that rows are missing in a header and in a closing record', async () => {
    const response = await demo.get('/q/cut', { headers: { Accept: 'text/csv' } });
    expect([response.headers.get('x-truncated'), await response.text()]).to.deep.equal([
      'true',
      'name\r\n+1\r\n""\r\n""\r\n_truncated: more rows exist than these 3\r\n',
    ]);
    const [, , lines] = await text('/q/cut.ndjson');
    expect(String(lines).split('\n').at(-2)).to.match(/^\{"_end":\{"rows":3,"truncated":true,/);
  });

  it('has no closing record in a page that the request asks for, and a link to the next page', async () => {
    const rows = { csv: 'id\r\n1\r\n2\r\n', ndjson: '{"id":1}\n{"id":2}\n' };
    for (const [format, body] of Object.entries(rows)) {
      for (const prefix of ['/v1/formats/paged', '/q/paged']) {
        for (const query of ['page=1', 'page_size=2', 'page=1&page_size=2']) {
          const response = await demo.get(`${prefix}.${format}?${query}`);
          const [truncated, link] = ['x-truncated', 'link'].map((name) => response.headers.get(name));
          expect([await response.text(), truncated]).to.deep.equal([body, 'true']);
          expect(link).to.match(/page=2/);
        }
        // An answer that the default page size limits is marked as truncated, unlike an answer with an explicit page size.
        const [, , cut] = await text(`${prefix}.${format}`);
        expect(cut).to.match(/^(id\r\n1\r\n2\r\n_truncated: .*\r\n|\{"id":1\}\n\{"id":2\}\n\{"_end":.*\}\n)$/);
        expect(await text(`${prefix}.${format}?page=1&closing_record=true`)).to.deep.equal(
          await text(`${prefix}.${format}`),
        );
      }
    }
  });

  it('has no closing record in CSV and NDJSON if the request switches it off', async () => {
    const types = await text('/q/types.ndjson');
    const [, , lines] = await text('/q/types.ndjson?closing_record=false');
    expect(`${lines}${String(types[2]).trimEnd().split('\n').at(-1)}\n`).to.equal(types[2]);
    expect(await text('/q/cut.csv?closing_record=false')).to.deep.equal([
      200,
      'text/csv',
      'name\r\n+1\r\n""\r\n""\r\n',
    ]);
    const [, , safe] = await text('/q/cut.csv?csv_safe=true&closing_record=false');
    expect(safe).to.equal('name\r\n\'+1\r\n""\r\n""\r\n');
    const arrow = await (await demo.get('/q/types.arrow?closing_record=false')).arrayBuffer();
    expect(tableFromIPC(new Uint8Array(arrow)).batches.at(-1)?.metadata.has(ARROW_END_KEY)).to.equal(true);
    expect((await text('/q/cut.csv?closing_record=perhaps'))[0]).to.equal(400);
  });

  it('neutralizes formulas on request, and leaves numbers unchanged', async () => {
    const [, , csv] = await text('/q/types.csv?csv_safe=true');
    expect(csv).to.equal(CSV_TYPES.replace('=1+1', "'=1+1"));
  });

  it('has the labels of the columns in the header of CSV on request', async () => {
    const header = async (query: string) => String((await text(`/q/labelled.csv?${query}`))[2]).split('\r\n');
    expect(await header('csv_labels=true')).to.deep.equal([
      '=Kind,"Weight, dry (g)",Baked on',
      'rye,900,2026-01-31',
      '',
    ]);
    expect((await header('csv_labels=true&csv_safe=true'))[0]).to.equal(`'=Kind,"Weight, dry (g)",Baked on`);
    expect((await header(''))[0]).to.equal('kind,weight,baked_on');
  });

  it('gives a parameter of the definition precedence over the parameter of the format', async () => {
    expect((await text('/q/cut?format=csv'))[1]).to.equal('application/json');
    expect((await text('/q/cut.csv?format=long'))[1]).to.equal('text/csv');
  });

  it('never reads a suffix where a path already has a meaning', async () => {
    for (const item of ['data.csv', 'x.ndjson', 'a.json']) {
      const response = await demo.get(`/v1/formats/items/${item}`);
      expect(((await response.json()) as { data: { rows: unknown } }).data.rows).to.deep.equal([{ item }]);
    }
    expect(await text('/v1/formats/items/data.csv?format=csv')).to.deep.equal([
      200,
      'text/csv',
      'item\r\ndata.csv\r\n',
    ]);
    expect((await text('/v1/formats/nothing.csv'))[0]).to.equal(404);
    expect((await text('/q/nothing.csv'))[0]).to.equal(404);
  });

  it('respects the weights of Accept, and keeps JSON for browsers', async () => {
    const types = async (accept: string) => (await text('/q/types', accept))[1];
    const cases = {
      '*/*': 'application/json',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8': 'application/json',
      'text/html': 'application/json',
      'application/json, text/plain, */*': 'application/json',
      'application/json; charset=utf-8': 'application/json',
      'text/csv; charset=utf-8': 'text/csv',
      'text/csv;q=0.5, application/json;q=0.9': 'application/json',
      'text/csv, */*;q=0.1': 'text/csv',
      'application/json;q=0, */*': 'text/csv',
      'application/vnd.apache.arrow.stream': 'application/vnd.apache.arrow.stream',
      'text/plain': 'application/json',
      'application/xml, image/png;q=0.5': 'application/json',
      [`text/csv, ${'image/png, '.repeat(100)}`]: 'application/json',
    };
    for (const [accept, type] of Object.entries(cases))
      expect([accept, await types(accept)]).to.deep.equal([accept, type]);
  });

  it('rejects unknown and conflicting formats with the allowed ones', async () => {
    const answers = [
      await text('/q/types?format=xml'),
      await text('/q/types.csv?format=ndjson'),
      await text('/q/types?format=csv&format=json'),
      await text('/q/types?csv_safe=maybe'),
    ];
    expect(answers.map(([status]) => status)).to.deep.equal([400, 400, 400, 400]);
    expect(answers[0]?.[2]).to.include('json, csv, ndjson, arrow');
  });

  it('keeps answers by format, and answers HEAD, If-None-Match and compressed requests', async () => {
    const first = await demo.get('/v1/formats/types.csv', { headers: { 'Cache-Control': 'no-cache' } });
    const etag = String(first.headers.get('etag'));
    const again = await demo.get('/v1/formats/types.csv', {
      headers: { 'If-None-Match': etag, 'Accept-Encoding': 'identity' },
    });
    const head = await demo.get('/v1/formats/types.csv', { method: 'HEAD' });
    const json = await demo.get('/v1/formats/types/', { headers: { 'Accept-Encoding': 'identity' } });
    expect([head.status, head.headers.get('x-row-count')]).to.deep.equal([200, '5']);
    expect(json.headers.get('etag')).to.not.equal(again.headers.get('etag'));
    expect(json.headers.get('content-type')).to.match(/^application\/json/);
  });

  it('sends parts of a stored answer, and the whole answer if it has another version', async () => {
    for (const target of ['/q/long.csv', '/v1/formats/types.ndjson']) {
      const plain = { 'Accept-Encoding': 'identity' };
      const whole = await demo.get(target, { headers: plain });
      const bytes = Buffer.from(await whole.arrayBuffer());
      const etag = String(whole.headers.get('etag'));
      expect(whole.headers.get('accept-ranges')).to.equal('bytes');
      const { length } = bytes;
      // The API description has no byte ranges, because generated clients do not request them.
      const part = async (headers: Readonly<Record<string, string>>, method = 'GET') => {
        const response = await fetch(`${demo.service.url}${target}`, { method, headers: { ...plain, ...headers } });
        const range = response.headers.get('content-range');
        return [response.status, range, Buffer.from(await response.arrayBuffer()).toString()];
      };
      const partial = (start: number, end: number) => [
        206,
        `bytes ${start}-${end - 1}/${length}`,
        bytes.subarray(start, end).toString(),
      ];
      expect(await part({ Range: 'bytes=0-9' })).to.deep.equal(partial(0, 10));
      expect(await part({ Range: 'bytes=10-', 'If-Range': etag })).to.deep.equal(partial(10, length));
      expect(await part({ Range: 'bytes=-5' })).to.deep.equal(partial(length - 5, length));
      expect(await part({ Range: `bytes=-${length + 1}` })).to.deep.equal(partial(0, length));
      expect(await part({ Range: `bytes=5-${length * 2}` })).to.deep.equal(partial(5, length));
      const all = [200, null, bytes.toString()];
      for (const range of ['bytes=5-4', 'bytes=-', 'bytes=a-b', 'bytes=0-1,5-6', 'rows=0-9', '']) {
        expect(await part({ Range: range }), range).to.deep.equal(all);
      }
      for (const version of ['"other"', `W/${etag}`, 'Wed, 01 Jan 2031 00:00:00 GMT']) {
        expect(await part({ Range: 'bytes=0-9', 'If-Range': version }), version).to.deep.equal(all);
      }
      expect(await part({ Range: 'bytes=0-9' }, 'HEAD')).to.deep.equal([200, null, '']);
      expect((await part({ Range: 'bytes=0-9', 'If-None-Match': etag, 'Cache-Control': 'max-age=0' }))[0]).to.equal(
        304,
      );
      for (const range of [`bytes=${length}-`, 'bytes=-0']) {
        const [status, available, body] = await part({ Range: range });
        expect([status, available], range).to.deep.equal([416, `bytes */${length}`]);
        expect(String(body)).to.include('range_not_satisfiable');
      }
    }
  });

  it('has no parts in JSON', async () => {
    const response = await demo.get('/v1/formats/types/', { headers: { Range: 'bytes=0-9' } });
    expect([response.status, response.headers.get('accept-ranges')]).to.deep.equal([200, null]);
  });

  for (const format of ['csv', 'ndjson', 'arrow']) {
    it(`compresses an answer as ${format}, whose version states its encoding`, async () => {
      const target = `/q/long.${format}`;
      const { headers } = await demo.get(target, { headers: { 'Accept-Encoding': 'gzip' } });
      const isGzip = /-gzip"$/.test(headers.get('etag') ?? '');
      expect([headers.get('content-encoding'), isGzip]).to.deep.equal(['gzip', true]);
    });
  }

  describe('of definitions with nest', () => testNestedRows(() => demo, isServer));
});

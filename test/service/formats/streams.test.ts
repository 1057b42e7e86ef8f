import { once } from 'node:events';
import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { ARROW_END_KEY } from '../../../engine/http/formats/arrow.js';
import { eventually } from '../../services/eventually.js';
import { onBothDatabases } from '../../services/mysql.js';
import type { DemoService } from '../demo-service.js';
import { startFormattedService } from './formatted-service.js';
import { failsInOrder, manyRows } from './many-rows.js';
import { begin, errorOfOldClient, readRest, readStream } from './read-stream.js';

const DEFINITIONS = {
  many: manyRows('many', 5, '{ rows: 10, stream_rows: 25000, timeout: 60s }'),
  ordered: manyRows('ordered', 5, '{ rows: 10, stream_rows: 25000, timeout: 60s }', ' ORDER BY id'),
  endless: manyRows('endless', 8, '{ rows: 10, stream_rows: 100000000, timeout: 60s, concurrency: 1 }'),
  short: manyRows('short', 8, '{ rows: 10, stream_rows: 100000000, timeout: 1500ms }'),
};

/** A definition with fewer but longer rows, 60 MB in total. The query of the definition also reads a table. */
const READING = manyRows('reading', 4, '{ rows: 10, stream_rows: 10000, timeout: 60s }')
  .replace('WHERE x.id', 'WHERE NOT EXISTS (SELECT 1 FROM osdb_repos r WHERE r.id < 0) AND x.id')
  .replace("CONCAT('row number ', x.id)", "CONCAT(REPEAT('x', 6000), x.id)");

const RUNNING = `SELECT COUNT(*) FROM information_schema.processlist
  WHERE db = DATABASE() AND info LIKE '%row number%' AND id <> CONNECTION_ID()`;

/** More bytes than the buffers of a connection on this machine can contain. */
const MOST_BUFFERED = 20 * 2 ** 20;

/** More rows than a service buffers before it sends the headers of an answer. */
const ROWS = 20_000;

onBothDatabases('streamed answers', (database, onServer) => {
  const streams = useStreams(database);

  it('contain all rows and a closing record in NDJSON, while JSON keeps its limit', async () => {
    const { status, headers, trailers, body, isComplete } = await streams.read(`/v1/streams/many.ndjson?rows=${ROWS}`);
    expect([status, isComplete, headers['cache-control']]).to.deep.equal([200, true, 'no-store']);
    expect(headers.trailer).to.equal('X-Row-Count, X-Truncated, X-Notice-Count, X-Notices');
    expect(trailers).to.deep.equal({ 'x-row-count': String(ROWS), 'x-truncated': 'false' });
    const lines = linesOf(body);
    const { _end } = lines.at(-1) ?? {};
    expect(_end).to.deep.equal({ rows: ROWS, truncated: false, data_as_of: null, stale: true, notices: [] });
    expect(new Set(lines.map(({ id }) => id)).size).to.equal(ROWS + 1);
    const unclosed = await streams.read(`/v1/streams/many.ndjson?rows=${ROWS}&closing_record=false`);
    expect([unclosed.trailers, unclosed.isComplete]).to.deep.equal([trailers, true]);
    expect(unclosed.body.toString()).to.equal(body.toString().replace(/.*\n$/, ''));
    const json = (await (await streams.demo.get(`/v1/streams/many/?rows=${ROWS}`)).json()) as {
      data: { rows: object[]; result: { truncated: boolean } };
    };
    expect([json.data.rows.length, json.data.result.truncated]).to.deep.equal([10, true]);
  });

  it('that fail at their last row end with an error for every client', async () => {
    const name = failsInOrder(streams.demo.database.name) ? 'ordered' : 'many';
    const query = `rows=${ROWS}&broken=${ROWS - 1}`;
    for (const format of ['csv', 'ndjson', 'arrow']) {
      const { status, trailers, isComplete } = await streams.read(`/q/${name}.${format}?${query}`);
      expect([format, status, isComplete, trailers]).to.deep.equal([format, 200, false, {}]);
    }
    const { _end } = linesOf((await streams.read(`/q/${name}.ndjson?${query}`)).body).at(-1) ?? {};
    expect(_end).to.deep.include({ truncated: true });
    expect(_end?.error).to.include({ code: 'query_failed' });
    expect(await errorOfOldClient(`${streams.demo.service.url}/q/${name}.csv?${query}`)).to.equal('ECONNRESET');
    await eventually(async () => streams.demo.log.some((line) => JSON.stringify(line).includes('query_failed')));
  });

  it('end at their time limit with an error', async () => {
    const { status, body, isComplete } = await streams.read('/q/short.ndjson');
    const last = JSON.parse(body.toString().trimEnd().split('\n').at(-1) ?? '');
    // On a busy machine, this stream can exceed its time limit before its headers are sent.
    if (status === 504) expect(last.code).to.equal('query_timeout');
    else expect([status, isComplete, last._end.error.code]).to.deep.equal([200, false, 'query_timeout']);
  });

  it('stop their query when the client disconnects', async () => {
    const response = await begin(`${streams.demo.service.url}/q/endless.csv`);
    await once(response, 'data');
    response.destroy();
    // The definition allows only one concurrent query, and the first query would run for minutes.
    expect((await streams.demo.get('/q/endless')).status).to.equal(200);
    if (streams.demo.database.name === 'duckdb') return;
    await eventually(async () => {
      const { rows } = await streams.demo.database.query({ sql: RUNNING }, [], { maxRows: 1, timeoutMs: 5_000 });
      return Number(rows[0]?.[0]) === 0;
    });
  });

  it('leave rows in the database while a client reads nothing', async () => {
    const response = await begin(`${streams.demo.service.url}/q/endless.ndjson`);
    await once(response, 'readable');
    // In the meantime, another client gets many more bytes than all buffers between service and client can contain.
    expect((await streams.read('/q/reading.ndjson')).body.length).to.be.above(2 * MOST_BUFFERED);
    expect([response.complete, response.destroyed]).to.deep.equal([false, false]);
    response.destroy();
    const lineOf = () => streams.demo.log.find((line) => JSON.stringify(line).includes('"/q/endless.ndjson"'));
    await eventually(() => lineOf() !== undefined);
    expect(lineOf()?.bytes).to.be.within(1, MOST_BUFFERED);
  });

  // The formats do not depend on the kind of the database.
  if (onServer) return;

  it('contain the same rows in CSV and Arrow', async () => {
    const csv = await streams.read(`/q/many.csv?rows=${ROWS}`);
    const records = parse(csv.body, { columns: true }) as { id: string; name: string }[];
    expect([csv.isComplete, csv.trailers['x-truncated'], records.length]).to.deep.equal([true, 'false', ROWS]);
    expect(records.every(({ id, name }) => name === `row number ${id}`)).to.equal(true);
    const arrow = await streams.read(`/q/many.arrow?rows=${ROWS}`);
    const table = tableFromIPC(arrow.body);
    const ids = new Set(table.getChild('id')?.toArray() as Iterable<bigint>);
    expect([table.numRows, ids.size, arrow.trailers['x-row-count']]).to.deep.equal([ROWS, ROWS, String(ROWS)]);
  });

  it('have all metadata in headers if they are small', async () => {
    for (const rows of [0, 3]) {
      const { headers, trailers } = await streams.read(`/q/many?rows=${rows}&format=csv`);
      expect([headers['x-row-count'], headers['x-truncated'], headers['x-stale']]).to.deep.equal([
        `${rows}`,
        'false',
        'true',
      ]);
      expect([headers['content-length'] !== undefined, trailers]).to.deep.equal([true, {}]);
    }
  });

  it('say that they are truncated at the limit', async () => {
    const csv = await streams.read('/q/many.csv');
    expect([csv.isComplete, csv.trailers['x-row-count'], csv.trailers['x-truncated']]).to.deep.equal([
      true,
      '25000',
      'true',
    ]);
    expect(csv.body.toString().split('\r\n').at(-2)).to.equal('_truncated: more rows exist than these 25000,,');
    const { _end } = linesOf((await streams.read('/q/many.ndjson')).body).at(-1) ?? {};
    expect([_end?.rows, _end?.truncated]).to.deep.equal([25_000, true]);
    const arrow = tableFromIPC((await streams.read('/q/many.arrow')).body);
    const end = arrow.batches.at(-1)?.metadata.get(ARROW_END_KEY) ?? '';
    expect(JSON.parse(end)).to.include({ rows: 25_000, truncated: true });
  });

  it('that fail before their first bytes are ordinary errors', async () => {
    const failed = await streams.demo.get('/q/many.ndjson?rows=3&broken=2');
    expect([failed.status, ((await failed.json()) as { code: string }).code]).to.deep.equal([500, 'query_failed']);
    expect((await streams.demo.get('/q/many.csv?rows=x')).status).to.equal(400);
    const head = await streams.demo.get('/q/many.csv?rows=3', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).to.deep.equal([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
  });

  it('state in every format that the data changed while the rows were sent', async () => {
    for (const [place, format] of ['csv', 'ndjson'].entries()) {
      const response = await begin(`${streams.demo.service.url}/q/reading.${format}?rows=5000`);
      await once(response, 'readable');
      // The client has not read the answer yet, which is larger than all buffers.
      await streams.demo.store.write((tables) =>
        tables.insertRows('osdb_repos', [[place + 1, `a/b${place}`, 'Relational']]),
      );
      const { trailers, body, isComplete } = await readRest(response);
      expect([isComplete, trailers['x-row-count'], trailers['x-notice-count']]).to.deep.equal([true, '5000', '1']);
      expect(trailers['x-notices']).to.match(/^\["The data changed while these rows were read\./);
      if (format === 'ndjson') expect(String(body.subarray(-300))).to.include('The data changed while');
    }
  });
});

/** Starts a service with the definitions for the calling suite. */
function useStreams(database: () => Record<string, string>) {
  let demo: DemoService;
  before(async () => {
    demo = await startFormattedService({ ...DEFINITIONS, reading: READING }, database());
  });
  after(() => demo.close());
  return {
    get demo() {
      return demo;
    },
    read: (path: string) => readStream(demo.service.url + path),
  };
}

function linesOf(body: Buffer): { id?: number; _end?: { rows: number; truncated: boolean; error?: object } }[] {
  return body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

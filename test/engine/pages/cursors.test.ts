import { expect } from 'chai';
import {
  type Answer,
  createEngine,
  type Engine,
  EngineError,
  findCursorNotes,
  PATIENT_METADATA_TIMEOUT_MS,
} from '../../../engine/index.js';
import { definitionOf, endpointOf } from '../fixtures.js';
import { openToyDatabase, type ToyDatabase } from '../toy-database.js';

const SECRET = Buffer.alloc(32, 7);
const PAGES = 'pagination: { default: 2, max: 3 }';
const PARAMS = 'kind: { in: query, type: string, default: rye, description: A kind }';
const LOAVES = definitionOf('SELECT l.id FROM loaves l WHERE l.kind <> {{ kind }}\nORDER BY l.id', PARAMS, PAGES);

describe('cursors', () => {
  let database: ToyDatabase;
  let engine: Engine;
  let cursor: string;
  before(async () => {
    database = await openToyDatabase();
    engine = await open(LOAVES);
    cursor = (await ask({ kind: 'none', page_size: '1' })).nextCursor ?? '';
  });
  after(() => database.close());

  const open = async (definition: string, cursorSecret = SECRET) =>
    createEngine({
      endpoints: [await endpointOf(definition)],
      database,
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
      cursorSecret,
    });
  const ask = (query: Readonly<Record<string, string | string[]>>, of = engine): Promise<Answer> =>
    of.run(of.endpoint('toy'), { path: {}, query });
  /** Returns the ids of the rows, or the parameters in the error. */
  const outcomeOf = async (query: Readonly<Record<string, string | string[]>>, of = engine): Promise<unknown> => {
    try {
      return (await ask(query, of)).rows.map(([id]) => Number(id));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'bad_parameter') throw error;
      return error.details.parameters?.map(({ parameter }) => parameter);
    }
  };
  const same = { kind: 'none', page_size: '1' };

  it('continue after the last row, have no page number, and are equal for equal requests', async () => {
    const [first, next] = [await ask(same), await ask({ ...same, cursor })];
    expect([first.rows, next.rows].flat(2).map(Number)).to.deep.equal([1, 2]);
    expect(first.nextCursor).to.equal(cursor);
    expect([next.parameters.page, next.nextPage]).to.deep.equal([null, undefined]);
    expect(cursor).to.match(/^[\w-]+$/);
  });

  it('are accepted only in the request for which they were written', async () => {
    expect(await outcomeOf({ ...same, cursor })).to.deep.equal([2]);
    const others = [{ kind: 'wheat' }, { page_size: '2' }, { page: '1' }, { page: '2' }, { cursor: [cursor, cursor] }];
    for (const other of others) {
      expect(await outcomeOf({ ...same, cursor, ...other }), JSON.stringify(other)).to.deep.equal(['cursor']);
    }
    const changed = [LOAVES.replace('<> {{', '>= {{'), LOAVES.replace('A toy', 'Another toy')];
    for (const definition of changed) {
      expect(await outcomeOf({ ...same, cursor }, await open(definition))).to.deep.equal(['cursor']);
    }
    expect(await outcomeOf({ ...same, cursor }, await open(LOAVES, Buffer.alloc(32)))).to.deep.equal(['cursor']);
    expect(await outcomeOf({ ...same, cursor }, await open(LOAVES)), 'another process with the secret').to.deep.equal([
      2,
    ]);
  });

  it('are rejected if a single bit differs, and with another length', async () => {
    const bytes = Buffer.from(cursor, 'base64url');
    const forged = [...bytes].flatMap((byte, place) =>
      [1, 128].map((bit) => Buffer.from(bytes.with(place, byte ^ bit)).toString('base64url')),
    );
    const position = Buffer.from('[["integer","0"]]');
    const wrong = [
      ...forged,
      ...Array.from({ length: cursor.length }, (_, length) => cursor.slice(0, length)),
      ...[`${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.toLowerCase(), 'x'.repeat(2001), '\0', "' OR 1 = 1 --"],
      ...[Buffer.concat([Buffer.alloc(16), position]), Buffer.concat([Buffer.alloc(29, 1), position]), position].map(
        (text) => text.toString('base64url'),
      ),
    ];
    for (const text of wrong) expect(await outcomeOf({ ...same, cursor: text }), text).to.deep.equal(['cursor']);
  });

  it('reveal no value of the order that the answer does not contain', async () => {
    const hidden = await open(definitionOf('SELECT l.id FROM loaves l\nORDER BY l.id * 1000 + 7', '', PAGES));
    const text = (await ask({ page_size: '1' }, hidden)).nextCursor ?? '';
    expect(await outcomeOf({ page_size: '1', cursor: text }, hidden)).to.have.length(1);
    expect(Buffer.from(text, 'base64url').toString('latin1')).to.not.match(/1007|integer/);
    const again = (await ask({ page_size: '1' }, hidden)).nextCursor;
    expect(again).to.equal(text);
  });

  it('are rejected by plans and identities too', async () => {
    const raw = { path: {}, query: { ...same, cursor: `${cursor}A` } };
    const endpoint = engine.endpoint('toy');
    expect(() => engine.identify(endpoint, raw)).to.throw(/^cursor must be the next_cursor/);
    const failure = await engine.explain(endpoint, raw).catch((error: Error) => error.message);
    expect(failure).to.match(/^cursor must be the next_cursor/);
    expect(() => endpoint.query.compile(endpoint.readParameters(raw), new Date(0))).to.throw('position');
  });

  it('have their own stored answers', async () => {
    const endpoint = engine.endpoint('toy');
    const keyOf = (query: Readonly<Record<string, string>>) => engine.identify(endpoint, { path: {}, query }).key;
    expect(new Set([keyOf(same), keyOf({ ...same, page: '2' }), keyOf({ ...same, cursor })]).size).to.equal(3);
    const other = await open(LOAVES, Buffer.alloc(32));
    expect(other.identify(other.endpoint('toy'), { path: {}, query: same }).key).to.not.equal(keyOf(same));
  });

  it('are absent, with the reason, if rows at the end of a page are equal in ORDER BY', async () => {
    const kinds = await open(definitionOf('SELECT l.id FROM loaves l\nORDER BY LENGTH(l.kind) > 0', '', PAGES));
    const first = await ask({}, kinds);
    expect([first.truncated, first.nextCursor]).to.deep.equal([true, null]);
    expect(first.notices).to.deep.equal([
      'The next page has no cursor, because the last row of this page and the first row of the next page are equal in ORDER BY. Request it by its number.',
    ]);
    expect((await ask({ page: '2', page_size: '1' }, kinds)).notices).to.deep.equal([]);
  });

  it('are absent, with the reason, if a collation can ignore the difference of two rows in ORDER BY', async () => {
    for (const [one, other] of [
      ['a', 'A'],
      ['é', 'e'],
      ['x', 'x '],
      ['🦊', '🦒'],
      ['Straße', 'STRASSE'],
      ['Bode', 'Bøde'],
      ['aether', 'æther'],
      ['ア', 'あ'],
      ['ς', 'σ'],
    ] as const) {
      const order = `CASE l.id WHEN 1 THEN '${one}' WHEN 2 THEN '${other}' ELSE '🧰zz' END`;
      const labels = await open(definitionOf(`SELECT l.id FROM loaves l WHERE l.id < 4\nORDER BY ${order}`, '', PAGES));
      const [first, unique] = [await ask({ page_size: '1' }, labels), await ask({ page_size: '2' }, labels)];
      expect([first.nextCursor, typeof unique.nextCursor], one).to.deep.equal([null, 'string']);
      expect(first.notices[0]).to.contain('differ in ORDER BY only in case, accents, spaces or similar letters');
    }
  });

  it('are not offered where an order cannot be continued, and the author gets a note', async () => {
    const notes = async (sql: string) => {
      const endpoint = await endpointOf(definitionOf(sql, PARAMS, PAGES));
      return [
        Object.keys(endpoint.parameters).includes('cursor'),
        ...findCursorNotes(endpoint).map(({ line, column, message }) => `${line}:${column} ${message}`),
      ];
    };
    const from = 'FROM loaves l WHERE l.kind <> {{ kind }}';
    const cases: readonly (readonly [string, ...unknown[]])[] = [
      [`SELECT l.id ${from}`, false, '9:3 pages have no cursor: the SQL has no ORDER BY'],
      [
        `SELECT l.id ${from}\nORDER BY (SELECT 1), l.id`,
        false,
        '10:12 pages have no cursor: it is a subquery: add it as a column, and order by its name',
      ],
      [
        `SELECT l.id ${from}\nORDER BY\n  RANK() OVER (ORDER BY l.kind), l.id`,
        false,
        '11:5 pages have no cursor: the value of a window function depends on other rows',
      ],
      [
        `SELECT DISTINCT l.id ${from}\nORDER BY l.kind`,
        false,
        '10:12 pages have no cursor: l.kind is not a column of the answer: with DISTINCT, order by columns of the answer',
      ],
      [
        `SELECT -l.id AS id ${from}\nORDER BY id, ABS(id)`,
        false,
        '10:16 pages have no cursor: it computes with the name of another expression: add it as a column, and order by its name',
      ],
      [
        `SELECT l.id ${from}\nORDER BY DATEDIFF({{ now }}, l.day), l.id`,
        false,
        '10:12 pages have no cursor: it depends on the time of the request',
      ],
      [`SELECT l.id ${from}\nORDER BY l.kind, l.id`, true],
    ];
    for (const [sql, ...expected] of cases) expect(await notes(sql), sql).to.deep.equal(expected);
  });

  it('come with the number of all rows if the definition declares it', async () => {
    const sql = 'SELECT l.id FROM loaves l WHERE l.kind <> {{ kind }}\nORDER BY l.id';
    for (const total of ['true', '"SELECT COUNT(*) AS n FROM loaves l WHERE l.kind <> {{ kind }}"']) {
      const counting = await open(definitionOf(sql, PARAMS, `pagination: { default: 1, max: 3, total: ${total} }`));
      const first = await ask({ kind: 'none' }, counting);
      const next = await ask({ kind: 'none', cursor: first.nextCursor ?? '' }, counting);
      const beyond = await ask({ kind: 'none', page: '9' }, counting);
      expect([first.total, next.total, beyond.total]).to.deep.equal([4, 4, 4]);
    }
    expect((await ask(same)).total).to.equal(undefined);
  });
});

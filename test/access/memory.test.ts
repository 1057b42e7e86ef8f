import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { exchange, exchangeKept, type RawResponse, request } from '../fast-path/definition-service.js';
import { eventually } from '../services/eventually.js';
import { describeEmbedded } from '../services/server.js';
import { createKey, ORDERS, writeTenants } from './tenants.js';

const FEW = `name: few
path: /v1/few/
summary: Countries
columns: [{ col: code, data_type: VARCHAR, nullable: true, description: C. }]
sql: SELECT code FROM countries ORDER BY code
limits: { requests: 3/day }
`;
const VARY = 'Authorization, Cookie, X-API-Key, Accept, Accept-Encoding';
const MEMORY = 'repo-insight; hit; detail=memory';

/** Ways to send a request: Node writes the first head of a connection that closes, and the service writes the others. */
const WAYS = { 'heads of Node': exchange, 'kept heads': exchangeKept };

describeEmbedded('answers in memory that are not public', () => {
  let folder: string;
  let url: string;
  const keys: Record<string, string> = {};
  before(async () => {
    // The path is short, because the name of a socket has a limit.
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
    await writeTenants(folder);
    await writeFile(join(folder, 'endpoints/few.yaml'), FEW);
    const create = async (name: string, ...words: readonly string[]) => {
      keys[name] = (await createKey(folder, [name, ...words])).secret;
    };
    for (const name of ['acme', 'acme-2']) await create(name, '--scope', '*', '--claim', 'tenant=acme');
    await create('other', '--scope', '*', '--claim', 'tenant=other');
    await create('narrow', '--scope', 'orders', '--claim', 'tenant=acme');
    await create('no-claim', '--scope', '*');
    await create('changed', '--scope', '*', '--claim', 'tenant=acme');
    await create('limited', '--scope', '*', '--claim', 'tenant=acme', '--per-minute', '5');
    const environment = { PORT: '0', LOG_LEVEL: 'silent' };
    url = await listening(startHere(['serve'], { cwd: folder, environment }));
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  const keyOf = (name: string) => `X-API-Key: ${keys[name]}`;
  const send = (target: string, more: readonly string[], way = exchange) => way({ url }, request('GET', target, more));
  const ask = (target: string, name: string, ...more: readonly string[]) => send(target, [keyOf(name), ...more]);
  const statusOf = ({ statusLine }: RawResponse) => Number(statusLine.split(' ')[1]);
  const sourceOf = ({ volatile }: RawResponse) => volatile['cache-status'];
  const idsOf = ({ body }: RawResponse) => (JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id);
  const ordersOf = (tenant: string) => ORDERS.filter((order) => order.tenant === tenant).map(({ id }) => id);
  /** Repeats a request until its answer is sent from memory. */
  const warm = (target: string, name: string) => eventually(async () => sourceOf(await ask(target, name)) === MEMORY);

  it('have equal responses with kept heads and with heads of Node, and the rows of their caller', async () => {
    const callers = { acme: ordersOf('acme'), other: ordersOf('other').slice(0, 2) };
    for (const name of Object.keys(callers)) for (const way of ['/q/orders', '/q/programs']) await warm(way, name);
    for (const [name, ids] of Object.entries(callers)) {
      for (const more of [[], ['Accept-Encoding: gzip'], ['Origin: https://a.example'], ['X-Request-Id: one']]) {
        for (const target of ['/q/orders', '/q/programs']) {
          const [expected, actual] = await Promise.all(
            Object.values(WAYS).map((way) => send(target, [keyOf(name), ...more], way)),
          );
          expect(actual?.headers, `${target} ${name} ${more}`).to.deep.equal(expected?.headers);
          expect(actual?.body).to.equal(expected?.body);
          for (const one of [expected, actual]) {
            expect(one?.headers).to.include({ vary: VARY, 'cache-control': 'private, no-cache' });
            expect(one && sourceOf(one)).to.equal(MEMORY);
          }
          if (target === '/q/orders' && actual !== undefined) expect(idsOf(actual)).to.deep.equal(ids);
        }
      }
    }
    const open = await ask('/q/open', 'acme');
    expect(open.headers).to.include({ vary: 'Accept, Accept-Encoding', 'cache-control': 'public, no-cache' });
  });

  it('are shared by the keys of a tenant, and by no others', async () => {
    await warm('/q/orders?page_size=1', 'acme');
    const sources = [];
    for (const name of ['acme-2', 'other', 'acme', 'other', 'acme-2']) {
      const answer = await ask('/q/orders?page_size=1', name);
      sources.push([idsOf(answer), sourceOf(answer) === MEMORY]);
    }
    expect(sources).to.deep.equal([
      [['1'], true],
      [['3'], false],
      [['1'], true],
      [['3'], true],
      [['1'], true],
    ]);
    const ids = [];
    for (const name of ['acme', 'acme-2', 'acme', 'acme-2']) ids.push(idsOf(await ask('/q/who-am-i', name))[0]);
    const own = ['acme', 'acme-2'].map((name) => `key:${keys[name]?.slice(4, 12)}`);
    expect(ids).to.deep.equal([...own, ...own]);
  });

  it('answer 304 only for the ETag of the same rows', async () => {
    for (const name of ['acme', 'other']) await warm('/q/orders', name);
    const { etag = '' } = (await ask('/q/orders', 'acme')).headers;
    for (const way of Object.values(WAYS)) {
      const answers = ['acme', 'acme-2', 'other'].map((name) =>
        send('/q/orders', [keyOf(name), `If-None-Match: ${etag}`], way),
      );
      const [own, same, foreign] = await Promise.all(answers);
      for (const one of [own, same]) {
        expect([one?.statusLine, one?.body]).to.deep.equal(['HTTP/1.1 304 Not Modified', '']);
        expect(one?.headers).to.include({ etag, vary: VARY, 'cache-control': 'private, no-cache' });
      }
      expect(foreign && [statusOf(foreign), idsOf(foreign)]).to.deep.equal([200, ['3', '4']]);
    }
    const denied = await send('/q/orders', [`If-None-Match: ${etag}`]);
    expect([statusOf(denied), denied.headers.etag]).to.deep.equal([401, undefined]);
  });

  it('are sent only to callers with access', async () => {
    const targets = ['/q/orders', '/q/programs'];
    for (const target of targets) await warm(target, 'acme');
    const secret = keys.acme ?? '';
    const attempts: Readonly<Record<string, readonly string[]>> = {
      'no key': [],
      'an unknown key': [`X-API-Key: ${secret.slice(0, -1)}_`],
      'the id of a key': [`X-API-Key: ${secret.slice(0, 13)}${keys.other?.slice(13)}`],
      'two keys': [keyOf('acme'), keyOf('other')],
      'a key and a token': [keyOf('acme'), 'Authorization: Bearer a.b.c'],
      'another scope': [keyOf('narrow')],
      'no claim': [keyOf('no-claim')],
      'a key as a token': [`Authorization: Bearer ${secret}`],
    };
    const statuses: Record<string, unknown> = {};
    for (const [title, more] of Object.entries(attempts)) {
      const ways = Object.values(WAYS).flatMap((way) => targets.map(async (to) => statusOf(await send(to, more, way))));
      statuses[title] = await Promise.all(ways);
    }
    expect(statuses).to.deep.equal({
      'no key': [401, 401, 401, 401],
      'an unknown key': [401, 401, 401, 401],
      'the id of a key': [401, 401, 401, 401],
      'two keys': [401, 401, 401, 401],
      'a key and a token': [401, 401, 401, 401],
      'another scope': [200, 403, 200, 403],
      'no claim': [403, 200, 403, 200],
      'a key as a token': [200, 200, 200, 200],
    });
  });

  it('follow each change of a key', async () => {
    for (const target of ['/q/orders', '/q/programs'])
      for (const name of ['changed', 'other']) await warm(target, name);
    const file = join(folder, '.repo-insight/keys.json');
    const change = async (facts: object) => {
      const { keys: stored } = JSON.parse(await readFile(file, 'utf8')) as { keys: { name: string }[] };
      const changed = stored.map((key) => (key.name === 'changed' ? { ...key, ...facts } : key));
      await writeFile(`${file}.next`, JSON.stringify({ keys: changed }), { mode: 0o600 });
      await rename(`${file}.next`, file);
    };
    await change({ scopes: ['orders'] });
    await eventually(async () => statusOf(await ask('/q/programs', 'changed')) === 403);
    expect(statusOf(await ask('/q/orders', 'changed'))).to.equal(200);
    await change({ scopes: ['*'], claims: { tenant: 'other' } });
    await eventually(async () => statusOf(await ask('/q/programs', 'changed')) === 200);
    const moved = await ask('/q/orders', 'changed');
    expect([idsOf(moved), sourceOf(moved)]).to.deep.equal([['3', '4'], MEMORY]);
    await change({ claims: { tenant: 'other' }, expiresAt: '2026-01-01T00:00:00.000Z' });
    await eventually(async () => statusOf(await ask('/q/orders', 'changed')) === 401);
    await run(['keys', 'revoke', 'acme-2', '--yes'], { cwd: folder });
    await eventually(async () => statusOf(await ask('/q/orders', 'acme-2')) === 401);
    expect(statusOf(await ask('/q/programs', 'acme-2'))).to.equal(401);
  });

  it('count for the limits of their key and of their definition', async () => {
    await warm('/q/orders', 'acme');
    const limits = [];
    for (let count = 0; count < 7; count += 1) {
      const answer = await ask('/q/orders', 'limited');
      const { 'x-ratelimit-limit-minute': limit, 'x-ratelimit-limit': perHour } = answer.headers;
      limits.push([statusOf(answer), limit, answer.volatile['x-ratelimit-remaining-minute'], perHour]);
    }
    const allowed = [4, 3, 2, 1, 0].map((remaining) => [200, '5', String(remaining), undefined]);
    const rejected = [429, '5', '0', undefined];
    expect(limits).to.deep.equal([...allowed, rejected, rejected]);
    for (const name of ['acme', 'other']) {
      const answers = [];
      for (let count = 0; count < 5; count += 1) answers.push(await ask('/q/few', name));
      expect(answers.map(statusOf)).to.deep.equal([200, 200, 200, 429, 429]);
      expect(answers.slice(1, 3).map(sourceOf)).to.deep.equal([MEMORY, MEMORY]);
    }
    const { out } = await run(['keys', 'list', '--json'], { cwd: folder });
    const [used] = (JSON.parse(out) as Record<string, unknown>[]).filter(({ name }) => name === 'limited');
    expect(used).to.deep.include({ requests: 7, limited: 2, failed: 0 });
    expect((await run(['keys', 'list'], { cwd: folder })).out).to.contain('│ requests │ limited │ failed │');
  });
});

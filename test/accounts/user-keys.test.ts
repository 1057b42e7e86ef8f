import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import { hashOf } from '../../accounts/keys/api-key.js';
import { type NewUserKey, type UserKey, UserKeys } from '../../accounts/keys/user-keys.js';
import { VerifiedKeys } from '../../accounts/keys/verified-keys.js';
import { readStateRows } from '../../accounts/state-reads.js';
import { UserRoles } from '../../accounts/user-roles.js';
import type { Users } from '../../accounts/users.js';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { type Service, startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { run } from '../cli/command-line.js';
import { call, connectHttp } from '../mcp/mcp-client.js';
import {
  createUsers,
  type DemoService,
  JWT_SECRET,
  PATIENT,
  SYSTEM_TIME,
  startDemoService,
  tokenOf,
} from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';

const DAY_MS = 86_400_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const UNKNOWN = [401, 'credential_invalid', 'The API key is unknown, expired or revoked.'];
const SEVERAL = [401, 'credential_invalid', 'The request has more than one credential.'];
/** The description of public definitions has no 401. A request with a signal is not checked against the description. */
const UNDESCRIBED = { signal: new AbortController().signal };
const NO_KEYS = [
  ...[401, 'credential_invalid'],
  'This operation does not accept API keys: sign in, or send a token of the user.',
];
const MISSING = [
  ...[401, 'credential_missing'],
  'This operation needs a signed-in user: send the header Authorization: Bearer <token>.',
];

const definition = (name: string, access: string) => `name: ${name}
path: /v1/${name}/
summary: The caller
access: ${access}
columns: [{ col: id, data_type: VARCHAR, nullable: false, description: The id of the caller. }]
sql: SELECT {{ caller.id }} AS id
`;
const OPEN = `name: open
path: /v1/open/
summary: A number
columns: [{ col: id, data_type: BIGINT, nullable: false, description: A number. }]
sql: SELECT 1 AS id
`;

type Headers = Readonly<Record<string, string>>;

onBothDatabases('API keys of users', userKeys);

function userKeys(database: () => Record<string, string>, onServer: boolean): void {
  let demo: DemoService;
  let users: Users;
  let endpoints: string;
  let now = SYSTEM_TIME;
  before(async () => {
    endpoints = await mkdtemp(join(tmpdir(), 'repo-insight-user-keys-'));
    const definitions = {
      'of-keys': 'key',
      'of-callers': 'signed-in',
      'of-trusted': 'role:trusted',
      'of-editors': 'role:editor',
    };
    for (const [name, access] of Object.entries(definitions))
      await writeFile(join(endpoints, `${name}.yaml`), definition(name, access));
    await writeFile(join(endpoints, 'open.yaml'), OPEN);
    demo = await startDemoService({ ...database(), ENDPOINTS_DIR: endpoints }, { systemClock: () => now });
    users = createUsers(demo.database, demo.state);
  });
  after(async () => {
    await demo?.close();
    await rm(endpoints, { recursive: true });
  });

  const idOf = async (login: string) => ((await (await demo.as(login, '/user/')).json()) as { readonly id: number }).id;
  const post = (body: unknown) => ({ method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  const create = async (login: string, body: object = { name: 'script' }) => {
    const response = await demo.as(login, '/user/keys/', post(body));
    return { status: response.status, key: (await response.json()) as NewUserKey & { readonly code?: string } };
  };
  const secretOf = async (login: string) => (await create(login)).key.secret;
  const list = async (login: string) => (await (await demo.as(login, '/user/keys/')).json()) as UserKey[];
  const revoke = async (login: string, id: string) =>
    (await demo.as(login, `/user/keys/${id}/`, { method: 'DELETE' })).status;
  const factsOf = async (response: Response) => {
    const { status } = response;
    const body = (await response.json()) as {
      readonly data?: readonly { readonly id: unknown }[];
      readonly code: string;
      readonly detail: string;
    };
    return status === 200 ? [status, body.data?.map(({ id }) => id)] : [status, body.code, body.detail];
  };
  const ask = async (headers: Headers, name = 'of-keys') =>
    factsOf(await demo.get(`/q/${name}`, { headers, ...(name === 'open' && UNDESCRIBED) }));
  const key = (secret: string): Headers => ({ 'X-API-Key': secret });
  const bearer = (secret: string): Headers => ({ Authorization: `Bearer ${secret}` });

  it('are created with a secret that only the answer contains, and are listed without it', async () => {
    const id = await idOf('creator');
    const { status, key: created } = await create('creator', { name: 'nightly report', lifetimeDays: 30 });
    const { secret, ...listed } = created;
    expect([status, secret.slice(0, 13)]).to.deep.equal([201, `rik_${created.id}_`]);
    expect(secret).to.match(/^rik_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/);
    expect(listed).to.deep.equal({
      ...{ id: created.id, name: 'nightly report', createdAt: '2026-06-30T12:00:00Z' },
      ...{ expiresAt: '2026-07-30T12:00:00Z', expired: false, lastUsedAt: null },
    });
    const { key: other } = await create('creator', { name: '<b>"é😀' });
    expect(other).to.include({ name: '<b>"é😀', expiresAt: '2026-09-28T12:00:00Z' });
    const { secret: _, ...second } = other;
    expect(await list('creator')).to.have.deep.members([listed, second]);
    expect(await list('without-keys')).to.deep.equal([]);
    const rows = await readStateRows(demo.database, 'SELECT * FROM sys_user_keys WHERE id = :p1', [created.id]);
    expect(JSON.stringify(rows)).to.include(hashOf(secret).toString('hex')).and.not.include(secret.slice(13));
    expect(JSON.stringify(demo.log)).to.not.include(secret.slice(13));
    const entries = (await readNewestAuditEntries(demo.database, 100)).filter(({ actor }) => actor === `user ${id}`);
    expect(entries.map(({ action, subject, detail }) => [action, subject, detail]).slice(0, 2)).to.deep.equal([
      ['create-key', `key ${other.id}`, ''],
      ['create-key', `key ${created.id}`, ''],
    ]);
  });

  it('reject a wrong name or lifetime', async () => {
    const bodies = [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'a\nb' },
      { name: 'x'.repeat(61) },
      { name: 7 },
      ...[0, -1, 366, 1.5, '30', null].map((lifetimeDays) => ({ name: 'wrong', lifetimeDays })),
      { name: 'wrong', expires: '30d' },
    ];
    for (const body of bodies) {
      const { status, key: failure } = await create('wrong', body);
      expect([status, failure.code], JSON.stringify(body)).to.deep.equal([400, 'bad_body']);
    }
    expect(await list('wrong')).to.deep.equal([]);
    expect((await create('wrong', { name: '\u{1f600}'.repeat(60), lifetimeDays: 365 })).status).to.equal(201);
  });

  it('send requests as their user, with the roles of the user, in both headers and over MCP', async () => {
    const [id, secret] = [await idOf('caller'), await secretOf('caller')];
    for (const headers of [key(secret), bearer(secret), { Authorization: `bearer  ${secret} ` }])
      for (const name of ['of-keys', 'of-callers'])
        expect(await ask(headers, name)).to.deep.equal([200, [`user:${id}`]]);
    const denied = await ask(key(secret), 'of-trusted');
    expect(denied.slice(0, 2)).to.deep.equal([403, 'access_denied']);
    await users.setTrusted(id, true, SYSTEM_TIME);
    await eventually(async () => (await ask(key(secret), 'of-trusted'))[0] === 200);
    const roles = new UserRoles(demo.database, demo.state);
    expect((await ask(key(secret), 'of-editors')).slice(0, 2)).to.deep.equal([403, 'access_denied']);
    await roles.change(id, { add: ['editor', 'other'], remove: [] }, SYSTEM_TIME);
    for (const headers of [key(secret), bearer(await tokenOf('caller'))])
      await eventually(async () => (await ask(headers, 'of-editors'))[0] === 200);
    await roles.change(id, { add: [], remove: ['editor'] }, SYSTEM_TIME);
    for (const headers of [key(secret), bearer(await tokenOf('caller'))])
      await eventually(async () => (await ask(headers, 'of-editors'))[0] === 403);
    // A token of the user is not a key.
    const byToken = await ask(bearer(await tokenOf('caller')));
    expect(byToken.slice(0, 2)).to.deep.equal([403, 'access_denied']);
    const client = await connectHttp(demo, '2026-07-28', key(secret));
    const { tools } = await client.listTools();
    const { content } = await call(client, 'of-keys');
    await client.close();
    expect(tools.map(({ name }) => name)).to.include.members(['of-keys', 'of-callers', 'of-trusted', 'open']);
    expect(content).to.deep.include({ rows: [{ id: `user:${id}` }] });
    const line = { operation: 'of-trusted', caller: `user:${id}` };
    await eventually(async () =>
      demo.log.some(({ operation, caller }) => operation === line.operation && caller === line.caller),
    );
  });

  it('cannot use the operations of the account, or any other operation that does not accept keys', async () => {
    const secret = await secretOf('kept');
    const { paths } = (await (await demo.get('/openapi.json')).json()) as {
      readonly paths: Record<string, Record<string, { operationId: string; security: Record<string, unknown>[] }>>;
    };
    const accepting: string[] = [];
    let count = 0;
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { operationId, security }] of Object.entries(methods)) {
        if (!security.some((scheme) => 'bearer' in scheme)) continue;
        if (security.some((scheme) => 'key' in scheme)) {
          accepting.push(operationId);
          continue;
        }
        count += 1;
        const init = { method: method.toUpperCase(), headers: { ...JSON_TYPE } };
        const target = path.replace(/\{\w+\}/g, '1');
        for (const headers of [key(secret), bearer(secret)]) {
          const response = await demo.get(target, { ...init, headers: { ...init.headers, ...headers } });
          expect(await factsOf(response), `${method} ${path}`).to.deep.equal(NO_KEYS);
        }
      }
    expect(count).to.be.above(20);
    const own = accepting.filter((id) => !/of-|explain|choices|endpoint-(png|svg)|query/.test(id));
    expect(own.sort()).to.deep.equal(['answer-question', 'ask-question']);
    expect(await list('kept')).to.have.length(1);
    // The header of a proxy is not a key.
    expect(await factsOf(await demo.get('/user/', { headers: key('of a proxy') }))).to.deep.equal(MISSING);
    expect((await demo.get('/user/', { headers: { ...key('x'), ...bearer(await tokenOf('kept')) } })).status).to.equal(
      200,
    );
  });

  it('ask questions as their user, also over MCP', async () => {
    const secret = await secretOf('asker');
    const question = 'How many collections are there?';
    const asked = await demo.get('/explorer/questions/', {
      ...post({ question }),
      headers: { ...JSON_TYPE, ...key(secret) },
    });
    expect(asked.status).to.equal(200);
    const own = (await (await demo.as('asker', '/user/questions/')).json()) as {
      readonly questions: readonly unknown[];
    };
    expect(own.questions).to.have.length(1);
    const forged = `${secret.slice(0, 13)}${'a'.repeat(43)}`;
    const given: [Headers, readonly unknown[]][] = [
      [key(forged), UNKNOWN],
      [{ ...key(secret), ...bearer(await tokenOf('asker')) }, SEVERAL],
    ];
    for (const [headers, expected] of given) {
      const init = { ...post({ question }), headers: { ...JSON_TYPE, ...headers } };
      expect(await factsOf(await demo.get('/explorer/answer/', init))).to.deep.equal(expected);
    }
    const client = await connectHttp(demo, '2026-07-28', key(forged));
    const { error } = await call(client, 'ask_question', { question });
    await client.close();
    expect(error?.code).to.equal('credential_invalid');
  });

  it('are rejected if they are forged, sent twice or sent with another credential', async () => {
    const [secret, other] = [await secretOf('forger'), await secretOf('forger')];
    const forged = [
      `${secret.slice(0, 13)}${other.slice(13)}`,
      `rik_00000000_${secret.slice(13)}`,
      `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
    ];
    for (const text of forged)
      for (const headers of [key(text), bearer(text)])
        for (const name of ['of-keys', 'open']) expect(await ask(headers, name)).to.deep.equal(UNKNOWN);
    const several = [
      key(`${secret}, ${other}`),
      { ...key(secret), ...bearer(other) },
      { ...key(secret), ...bearer(await tokenOf('forger')) },
      { ...key('of a proxy'), ...bearer(secret) },
    ];
    expect((await ask(several[0] as Headers))[0]).to.equal(401);
    for (const headers of several.slice(1)) expect(await ask(headers)).to.deep.equal(SEVERAL);
    // A text in another form can be from a proxy.
    expect(await ask(key('of a proxy'), 'open')).to.deep.equal([200, [1]]);
    expect((await ask(key(secret.toUpperCase()), 'of-keys'))[0]).to.equal(401);
  });

  it('end with their revocation, which only their user can request', async () => {
    const [{ key: kept }, { key: revoked }] = [await create('revoker'), await create('revoker')];
    expect((await ask(key(revoked.secret)))[0]).to.equal(200);
    expect(await revoke('another-user', revoked.id)).to.equal(404);
    for (const wrong of ['1', `${revoked.id}0`, '________', '%25', "'"])
      expect(await revoke('revoker', wrong), wrong).to.equal(400);
    expect(await revoke('revoker', revoked.id)).to.equal(204);
    expect(await revoke('revoker', revoked.id)).to.equal(404);
    await eventually(async () => (await ask(key(revoked.secret)))[0] === 401);
    expect(await ask(key(revoked.secret))).to.deep.equal(UNKNOWN);
    expect((await ask(key(kept.secret)))[0]).to.equal(200);
    expect((await list('revoker')).map(({ id }) => id)).to.deep.equal([kept.id]);
    const [entry] = await readNewestAuditEntries(demo.database, 1);
    expect(entry).to.include({ action: 'revoke-key', subject: `key ${revoked.id}` });
  });

  it('end when an operator disables or removes their user', async () => {
    const [id, secret] = [await idOf('blocked'), await secretOf('blocked')];
    expect((await ask(key(secret)))[0]).to.equal(200);
    await users.setDisabled(id, true, SYSTEM_TIME);
    await eventually(async () => (await ask(key(secret)))[0] === 401);
    expect(await ask(key(secret))).to.deep.equal(UNKNOWN);
    expect((await demo.as('blocked', '/user/keys/', post({ name: 'more' }))).status).to.equal(403);
    await users.setDisabled(id, false, SYSTEM_TIME);
    await eventually(async () => (await ask(key(secret)))[0] === 200);
    await new UserRoles(demo.database, demo.state).change(id, { add: ['editor'], remove: [] }, SYSTEM_TIME);
    await users.remove(id, SYSTEM_TIME, deleteOwnedRows);
    await eventually(async () => (await ask(key(secret)))[0] === 401);
    expect(await ask(key(secret), 'open')).to.deep.equal(UNKNOWN);
    for (const table of ['sys_user_keys', 'sys_user_roles'])
      expect(await readStateRows(demo.database, `SELECT * FROM ${table} WHERE user_id = :p1`, [id])).to.deep.equal([]);
  });

  it('are at most ten for each user, also if they are created at the same time; expired keys do not count', async () => {
    await idOf('collector');
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) => create('collector', { name: `key ${index}`, lifetimeDays: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      ...Array.from({ length: 10 }, () => 201),
      ...Array.from({ length: 4 }, () => 409),
    ]);
    expect((await create('collector')).key.code).to.equal('too_many_keys');
    const secret = answers.find(({ status }) => status === 201)?.key.secret ?? '';
    try {
      now = new Date(SYSTEM_TIME.getTime() + DAY_MS - 1_000);
      expect((await ask(key(secret)))[0]).to.equal(200);
      now = new Date(SYSTEM_TIME.getTime() + DAY_MS);
      await eventually(async () => (await ask(key(secret)))[0] === 401);
      expect((await create('collector')).status).to.equal(201);
      expect((await list('collector')).map(({ expired }) => expired)).to.deep.equal([
        false,
        ...Array.from({ length: 10 }, () => true),
      ]);
      now = new Date(SYSTEM_TIME.getTime() + 92 * DAY_MS);
      expect((await create('collector')).status).to.equal(201);
      expect(await list('collector')).to.have.length(2);
    } finally {
      now = SYSTEM_TIME;
    }
  });

  it('show their last use, which is stored at most once per minute, and are read at most twice per second', async () => {
    const keys = new UserKeys(demo.database, demo.state);
    const { key: created } = await create('observer');
    let [at, elapsed] = [SYSTEM_TIME.getTime(), 0];
    const failures: unknown[] = [];
    const roles = new UserRoles(demo.database, demo.state);
    const options = { keys, users, roles, clock: () => new Date(at), stopwatch: () => elapsed };
    const reader = new VerifiedKeys({ ...options, onUseError: (error) => failures.push(error) });
    const pass = (ms: number) => {
      at += ms;
      elapsed += ms;
    };
    const lastUse = async () => (await list('observer'))[0]?.lastUsedAt;
    const until = (time: string) => eventually(async () => (await lastUse()) === time);
    expect(reader.findKnown(created.secret)).to.equal(undefined);
    expect((await reader.find(created.secret))?.login).to.equal('observer');
    await until('2026-06-30T12:00:00Z');
    expect(reader.findKnown(created.secret)?.login).to.equal('observer');
    expect(reader.findKnown(`${created.secret.slice(0, -1)}_`)).to.equal(undefined);
    pass(499);
    expect(reader.findKnown(created.secret)?.login).to.equal('observer');
    pass(1);
    expect(reader.findKnown(created.secret)).to.equal(undefined);
    pass(59_000);
    // Another process does not store the use again within the same minute.
    const other = new VerifiedKeys({ ...options, onUseError: (error) => failures.push(error) });
    for (const one of [reader, other]) expect(await one.find(created.secret)).to.not.equal(undefined);
    expect(await lastUse()).to.equal('2026-06-30T12:00:00Z');
    pass(1_000);
    await reader.find(created.secret);
    await until('2026-06-30T12:01:00Z');
    expect(failures).to.deep.equal([]);
  });

  if (onServer) {
    it('are valid in every process on the database, and revoked in all of them', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'repo-insight-second-'));
      const settings = readSettings({
        ...{ DATA_DIR: folder, PORT: '0', JWT_SECRET, ENDPOINTS_DIR: endpoints },
        ...database(),
      });
      const warehouse = await openWarehouse(settings, PATIENT);
      const quiet = pino({ level: 'silent' });
      const limits = { ...TIMEOUTS, drainMs: 0 };
      const second: Service = await startService(settings, warehouse, quiet, limits, { systemClock: () => now });
      try {
        const { key: created } = await create('everywhere');
        const askSecond = async () => {
          const response = await fetch(`${second.url}/q/of-keys`, { headers: key(created.secret) });
          await response.arrayBuffer();
          return response.status;
        };
        expect([await askSecond(), (await ask(key(created.secret)))[0]]).to.deep.equal([200, 200]);
        expect(await revoke('everywhere', created.id)).to.equal(204);
        await eventually(async () => (await askSecond()) === 401);
        await eventually(async () => (await ask(key(created.secret)))[0] === 401);
      } finally {
        await second.close();
        await warehouse.close();
        await rm(folder, { recursive: true });
      }
    });
    return;
  }

  it('work in addition to the keys of the file', async () => {
    const secret = await secretOf('additional');
    const environment = { DATA_DIR: demo.folder };
    const { out, err } = await run(['keys', 'create', 'program', '--scope', 'of-keys'], {
      environment: { ...environment, ENDPOINTS_DIR: endpoints },
    });
    expect(out.trim(), err).to.match(/^rik_/);
    await eventually(async () => (await ask(key(out.trim())))[0] === 200);
    expect((await ask(key(out.trim())))[1]).to.deep.equal([`key:${out.slice(4, 12)}`]);
    expect((await ask(key(secret)))[0]).to.equal(200);
    expect(await ask(key(`${out.slice(0, 13)}${secret.slice(13)}`))).to.deep.equal(UNKNOWN);
    // With keys in the file, any text in the header is a key.
    expect(await ask(key('of a proxy'), 'open')).to.deep.equal(UNKNOWN);
  });

  it('have a limit for secrets that are not valid, so that they cause few queries', async () => {
    const limited = await startDemoService({ ENDPOINTS_DIR: endpoints, CALLER_LIMIT_PER_MINUTE: '5' });
    try {
      const created = await limited.as('owner', '/user/keys/', post({ name: 'script' }));
      const { secret } = (await created.json()) as NewUserKey;
      const forged = `${secret.slice(0, 13)}${'a'.repeat(43)}`;
      const statusOf = async (headers: Headers, path = '/q/open') =>
        (await limited.get(path, { headers, ...UNDESCRIBED })).status;
      const statuses = [];
      for (let index = 0; index < 7; index += 1) statuses.push(await statusOf(key(forged)));
      expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429, 429]);
      const question = { ...post({ question: 'How many collections are there?' }) };
      const asked = await limited.get('/explorer/answer/', { ...question, headers: { ...JSON_TYPE, ...key(forged) } });
      const { code, detail } = (await asked.json()) as { readonly code: string; readonly detail: string };
      expect([code, detail.replace(/\d+ s/, 'n s')]).to.deep.equal([
        'rate_limited',
        'The request exceeds the limit of 5 API keys that are not valid per minute from one address; retry in n s.',
      ]);
      // Texts in another form need no query.
      expect(await statusOf(key('of a proxy'))).to.equal(200);
    } finally {
      await limited.close();
    }
  });
}

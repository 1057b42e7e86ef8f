import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { type Service, startService } from '../../server/service.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { SettingValues } from '../../server/settings/settings.js';
import { copyEmptyFile, copyEmptyTables } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { execute, useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { run, serveHere, stopAll } from './command-line.js';
import { runHere } from './commands-here.js';

describe('the user commands, on the embedded database', () => userCommands(() => ({})));
describe(`the user commands, on ${SERVER}`, () => {
  const server = useMysql();
  userCommands(() => server.environment);

  it('name the missing setting if the account can only read', async () => {
    const reader = new URL(server.url);
    [reader.username, reader.password] = ['only_reads', 'x'];
    await execute(
      server.url,
      'DROP USER IF EXISTS only_reads',
      "CREATE USER only_reads IDENTIFIED BY 'x'",
      `GRANT SELECT ON ${server.name}.* TO only_reads`,
    );
    const settings = readSettings({ DATA_DIR: join(tmpdir(), 'repo-insight-reader'), DATABASE_URL: reader.href });
    const warehouse = await openWarehouse(settings, { migrating: false });
    try {
      expect((await runHere(['user', 'list', '--json'], settings, warehouse)).code).to.equal(0);
      const { code, out, err } = await runHere(['user', 'trust', 'bea'], settings, warehouse);
      expect([code, out]).to.deep.equal([2, '']);
      expect(err).to.include('Set DATABASE_WRITE_URL');
    } finally {
      await warehouse.close();
      await rm(settings.dataDirectory, { recursive: true });
      await execute(server.url, 'DROP USER only_reads');
    }
  });
});

function userCommands(database: () => Record<string, string>): void {
  let folder: string;
  let settings: SettingValues;
  let warehouse: Warehouse;
  let service: Service;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-user-'));
    settings = readSettings({ DATA_DIR: folder, PORT: '0', ENDPOINTS_DIR: FEW_ENDPOINTS, ...database() });
    const file = databaseFile(settings);
    await (file === undefined ? copyEmptyTables(settings.databaseUrl ?? '') : copyEmptyFile(file));
    warehouse = await openWarehouse(settings, { migrating: true });
    service = await startService(settings, warehouse, pino({ level: 'silent' }));
  });
  after(async () => {
    await service.close();
    await warehouse.close();
    await rm(folder, { recursive: true });
  });

  const user = (...words: string[]) => runHere(['user', ...words], settings, warehouse);
  const resultOf = async (...words: string[]) => {
    const { code, out, err } = await user(...words);
    return [code, out.trim(), err.trim()];
  };
  const tokenOf = async (...words: string[]) => (await user('token', ...words)).out.trim();
  const as = async (token: string) => {
    const response = await fetch(`${service.url}/user/`, { headers: { Authorization: `Bearer ${token}` } });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('create a token, and print only the token', async () => {
    const { code, out, err } = await user('token', 'ada', '--name', 'Ada', '--email', 'ada@example.org');
    expect([code, err]).to.deep.equal([0, '']);
    expect(out).to.match(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { status, body } = await as(out.trim());
    expect({ status, name: body.name, mail: body.emailAddress, login: body.hostLogin }).to.deep.equal({
      status: 200,
      name: 'Ada',
      mail: 'ada@example.org',
      login: 'ada',
    });
  });

  it('create a token for a number of days', async () => {
    const [, claims = ''] = (await tokenOf('ada', '--days', '2')).split('.');
    const { iat, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, number>;
    expect([sub, (exp ?? 0) - (iat ?? 0)]).to.deep.equal(['development|ada', 2 * 86_400]);
    expect((await user('token', 'ada', '--days', '0')).code).to.equal(2);
  });

  it('reject an invalid login for a token', async () => {
    for (const login of ['', 'a\u3164da', 'jose\u0301']) {
      const rejection = `Expected a login of 1 to 100 visible characters, got ${JSON.stringify(login)}.`;
      expect(await resultOf('token', login)).to.deep.equal([2, '', rejection]);
    }
  });

  it('list users, with their e-mail only with --email', async () => {
    const list = JSON.parse((await user('list', '--json')).out) as Record<string, unknown>[];
    expect(list).to.have.length(1);
    expect(list[0]).to.include({ login: 'ada', provider: 'development', accountId: 'ada', isTrusted: false });
    expect(list[0]).to.not.have.property('email');
    const withMail = JSON.parse((await user('list', '--json', '--email')).out) as Record<string, unknown>[];
    expect(withMail[0]?.email).to.equal('ada@example.org');
    const table = (await user('list')).out;
    expect(table).to.include('development|ada').and.not.include('ada@example.org');
    expect((await user('list', '--email')).out).to.include('ada@example.org');
  });

  it('trust, disable and remove a user, by login in any case or by id', async () => {
    const token = await tokenOf('ada');
    const { id } = (await as(token)).body;
    expect(await resultOf('trust', 'ADA')).to.deep.equal([0, `User ${id} (ada) is trusted.`, '']);
    expect(await resultOf('trust', `id:${id}`, '--off')).to.deep.equal([0, `User ${id} (ada) is not trusted.`, '']);
    expect(await resultOf('disable', String(id))).to.deep.equal([0, `User ${id} (ada) is disabled.`, '']);
    expect((await as(token)).status).to.equal(403);
    expect(await resultOf('disable', 'ada', '--off')).to.deep.equal([0, `User ${id} (ada) is not disabled.`, '']);
    expect((await as(token)).status).to.equal(200);
    const account = 'ada, account ada of development';
    const ask = `This deletes user ${id} (${account}) permanently. Confirm with --yes.`;
    expect(await resultOf('remove', 'ada')).to.deep.equal([2, '', ask]);
    expect(await resultOf('remove', 'ada', '--yes')).to.deep.equal([0, `User ${id} (ada) was removed.`, '']);
    expect((await as(token)).status).to.equal(404);
    expect(await resultOf('remove', 'ada', '--yes')).to.deep.equal([
      2,
      '',
      'There is no user with the login or id "ada".',
    ]);
  });

  it('list changes with their actor, newest first, and no other data of a user', async () => {
    const changes = JSON.parse((await user('audit', '--json')).out) as Record<string, unknown>[];
    expect(changes.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])).to.deep.equal([
      ['operator', 'remove', 'user 1', ''],
      ['operator', 'disable', 'user 1', 'off'],
      ['operator', 'disable', 'user 1', 'on'],
      ['operator', 'trust', 'user 1', 'off'],
      ['operator', 'trust', 'user 1', 'on'],
      ['user 1', 'sign-up', 'user 1', ''],
    ]);
    expect(JSON.parse((await user('audit', '--json', '--limit', '1')).out)).to.deep.equal(changes.slice(0, 1));
    expect((await user('audit')).out).to.include('sign-up');
  });

  it('list the users that match an ambiguous login', async () => {
    for (const login of ['bea', '2']) await as(await tokenOf(login));
    const [code, out, err] = await resultOf('trust', '2');
    expect([code, out]).to.deep.equal([2, '']);
    expect(err).to.equal('"2" matches several users; use one of id:2 (bea of development), id:3 (2 of development).');
    expect(await resultOf('trust', 'id:3')).to.deep.equal([0, 'User 3 (2) is trusted.', '']);
  });

  it('show the digest of a user, disable it, and explain why there is no e-mail', async () => {
    const token = await tokenOf('dora');
    const { body } = await as(token);
    expect(await resultOf('digest', 'dora')).to.deep.equal([0, 'dora gets no digest.', '']);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const enabled = '{"enable":true,"timeZone":"Europe/Berlin"}';
    await fetch(`${service.url}/user/digest/`, { method: 'PUT', headers, body: enabled });
    const [code, out] = await resultOf('digest', 'dora');
    expect(code).to.equal(0);
    expect(out).to.match(/^dora gets digests in the time zone Europe\/Berlin: next at 20\d\d-.+Z; last at –\.$/);
    expect(await resultOf('digest', 'dora', '--preview')).to.deep.equal([
      ...[2, '', 'E-mail is not configured: set SMTP_URL, MAIL_FROM and PUBLIC_URL.'],
    ]);
    const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'digest@mail.example', PUBLIC_URL: 'http://127.0.0.1' };
    const all = readSettings({ DATA_DIR: folder, ...database(), ...mail });
    const preview = await runHere(['user', 'digest', 'dora', '--preview'], all, warehouse);
    expect([preview.code, preview.out]).to.deep.equal([2, '']);
    expect(preview.err).to.match(/^dora would get no e-mail: the user has no verified address, /);
    const off = { id: body.id, login: 'dora', digest: null };
    expect(JSON.parse((await user('digest', 'dora', '--off', '--json')).out)).to.deep.equal(off);
    const [last] = JSON.parse((await user('audit', '--limit', '1', '--json')).out) as Record<string, string>[];
    expect([last?.actor, last?.action, last?.detail]).to.deep.equal(['operator', 'email-updates', 'off']);
  });

  it('list, add and remove roles', async () => {
    const { id } = (await as(await tokenOf('rolf'))).body;
    const has = (roles: string) => [0, `User ${id} (rolf) has ${roles}.`, ''];
    expect(await resultOf('role', 'rolf')).to.deep.equal(has('no roles'));
    const added = ['role', 'ROLF', '--add', 'writer', '--add', 'editor', '--add', 'writer'];
    expect(await resultOf(...added)).to.deep.equal(has('the roles editor, writer'));
    expect(await resultOf(...added)).to.deep.equal(has('the roles editor, writer'));
    await user('trust', 'rolf');
    const changed = ['role', `id:${id}`, '--remove', 'writer', '--remove', 'unknown', '--add', 'Editor'];
    expect(await resultOf(...changed)).to.deep.equal(has('the roles trusted, Editor, editor'));
    const [code, out] = await resultOf('role', 'rolf', '--json');
    expect([code, JSON.parse(String(out))]).to.deep.equal([
      ...[0, { id, login: 'rolf', roles: ['trusted', 'Editor', 'editor'] }],
    ]);
    const wrong: [string[], string][] = [
      [['--add', 'a b'], '--add: expected 1 to 64 letters, digits, _, . and -, got "a b".'],
      [
        ['--remove', 'x'.repeat(65)],
        `--remove: expected 1 to 64 letters, digits, _, . and -, got "${'x'.repeat(65)}".`,
      ],
      [['--remove', 'trusted'], 'The role trusted belongs to trusted users: use user trust.'],
      [['--add', 'a', '--remove', 'a'], 'The role a cannot be added and removed at once.'],
    ];
    for (const [words, expected] of wrong)
      expect(await resultOf('role', 'rolf', ...words)).to.deep.equal([2, '', expected]);
    expect((await user('role', 'unknown', '--add', 'a')).code).to.equal(2);
    const changes = JSON.parse((await user('audit', '--json', '--limit', '5')).out) as Record<string, unknown>[];
    expect(changes.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])).to.deep.equal([
      ['operator', 'add-role', `user ${id}`, 'Editor'],
      ['operator', 'remove-role', `user ${id}`, 'writer'],
      ['operator', 'trust', `user ${id}`, 'on'],
      ['operator', 'add-role', `user ${id}`, 'editor'],
      ['operator', 'add-role', `user ${id}`, 'writer'],
    ]);
    expect((await user('remove', 'rolf', '--yes')).code).to.equal(0);
  });

  it('print what they changed with --json', async () => {
    const { id } = (await as(await tokenOf('cleo'))).body;
    const printed: unknown[] = [];
    for (const words of [['trust'], ['trust', '--off'], ['disable'], ['disable', '--off'], ['remove', '--yes']]) {
      const [code, out = '', err] = await resultOf(...words, 'cleo', '--json');
      printed.push([code, JSON.parse(String(out)), err]);
    }
    expect(printed).to.deep.equal([
      [0, { id, login: 'cleo', trusted: true }, ''],
      [0, { id, login: 'cleo', trusted: false }, ''],
      [0, { id, login: 'cleo', disabled: true }, ''],
      [0, { id, login: 'cleo', disabled: false }, ''],
      [0, { id, login: 'cleo', removed: true }, ''],
    ]);
  });
}

describe('the command user token', () => {
  let folder: string;
  const file = () => join(folder, 'mine.duckdb');
  const place = () => ({ DATA_DIR: folder, DATABASE_URL: `duckdb:${file()}`, ENDPOINTS_DIR: FEW_ENDPOINTS });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-user-'));
    await copyEmptyFile(file());
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  it('prints a token that the service accepts', async () => {
    const service = await serveHere(place());
    const { code, out, err } = await run(['user', 'token', 'ada'], { environment: place() });
    expect([code, err]).to.deep.equal([0, '']);
    const response = await fetch(`${service.url}/user/`, { headers: { Authorization: `Bearer ${out.trim()}` } });
    expect([response.status, ((await response.json()) as { hostLogin: string }).hostLogin]).to.deep.equal([200, 'ada']);
    expect((await service.close()).code).to.equal(0);
  });

  it('is rejected if published keys verify tokens', async () => {
    const environment = { ...place(), JWT_JWKS_URL: 'https://keys.example/jwks' };
    expect(await run(['user', 'token', 'ada'], { environment })).to.deep.equal({
      code: 2,
      out: '',
      err: 'Tokens are verified with the keys at JWT_JWKS_URL; only their issuer can create a token.\n',
    });
  });
});

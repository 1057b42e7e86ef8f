import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { KeyFile } from '../../accounts/keys/key-file.js';
import { run, runProcess, stopAll } from './command-line.js';

const API = `title: Shop
claims:
  tenant: { type: string, example: acme }
  level: { type: integer, example: 1 }
  is_new: { type: boolean, example: true }
`;

const definitionOf = (name: string, tag: string) => `name: ${name}
summary: One
tags: [${tag}]
columns: [{ col: one, data_type: BIGINT, nullable: false, description: One. }]
sql: SELECT 1 AS one
`;

const SECRET = /rik_([0-9a-f]{8})_[\w-]{43}/;
const STORE = 'Store the secret now: it is not shown again. Send it in the header X-API-Key:';

describe('the commands for API keys', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-keys-'));
    await mkdir(join(folder, 'endpoints'));
    await writeFile(join(folder, 'api.yaml'), API);
    await writeFile(join(folder, 'endpoints', 'list-orders.yaml'), definitionOf('list-orders', 'Sales'));
    await writeFile(join(folder, 'endpoints', 'list-people.yaml'), definitionOf('list-people', 'Human resources'));
    await writeFile(join(folder, 'endpoints', 'broken.yaml'), 'name: broken-one\nsql: SELECT');
  });
  afterEach(() => rm(data(), { recursive: true, force: true }));
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  const data = () => join(folder, '.repo-insight');
  const keys = (...words: string[]) => run(['keys', ...words], { cwd: folder });
  const create = async (...words: string[]) => {
    const { code, out, err } = await keys('create', ...words);
    const [secret = '', id = ''] = SECRET.exec(out) ?? [];
    return { code, out, err, secret, id };
  };
  const failureOf = async (...words: string[]) => {
    const { code, out, err } = await keys(...words);
    expect([code, out]).to.deep.equal([2, '']);
    return err.trimEnd().split('\n');
  };
  const list = async () => JSON.parse((await keys('list', '--json')).out) as Record<string, string>[];
  /** Returns the id of the key that a service finds at a time. */
  const find = async (secret: string, at: string) => {
    const places = { file: join(data(), 'keys.json'), useFolder: join(data(), 'key-use') };
    const times = { clock: () => new Date(at), stopwatch: () => 0 };
    return (await new KeyFile({ ...places, ...times, onUseError: () => undefined }).find(secret))?.id;
  };
  const later = (time: string, milliseconds: number) => new Date(Date.parse(time) + milliseconds).toISOString();

  it('create a key, and print only the secret to the standard output', async () => {
    const { code, out, err, secret, id } = await create('reports', '--scope', 'list-orders', '--scope', 'tag:Sales');
    expect([code, out]).to.deep.equal([0, `${secret}\n`]);
    expect(err.split('\n')).to.deep.equal([
      `Key ${id} (reports) was created in ${join(data(), 'keys.json')}.`,
      STORE,
      `  curl -H 'X-API-Key: rik_${id}_…' 'http://127.0.0.1:3450/q/list-orders'`,
      '',
    ]);
    const [{ createdAt = '', ...key } = {}] = await list();
    const granted = { scopes: ['list-orders', 'tag:Sales'], roles: [], claims: {} };
    expect(key).to.deep.equal({ id, name: 'reports', ...granted, state: 'active' });
    expect(await find(secret, createdAt)).to.equal(id);
    expect(await readFile(join(data(), 'keys.json'), 'utf8')).to.not.include(secret.slice(-43));
    expect(await readdir(data())).to.have.members(['keys.json', 'keys.json.lock']);
  });

  it('name roles that no endpoint uses, and endpoints whose claims the key does not have', async () => {
    const file = join(folder, 'endpoints', 'of-level.yaml');
    const text = definitionOf('of-level', 'Sales').replace('SELECT 1', 'SELECT {{ caller.claims.level }}');
    await writeFile(file, `access: ['role:staff', key]\n${text}`);
    const { err, id } = await create('wrong', '--scope', '*', '--role', 'staf');
    await rm(file);
    expect(err.split('\n').slice(0, 3)).to.deep.equal([
      `Key ${id} (wrong) was created in ${join(data(), 'keys.json')}.`,
      'No endpoint uses the role staf (did you mean "role:staff"?).',
      'The key cannot read of-level, which needs the claim level (--claim).',
    ]);
  });

  it('create a key for all endpoints also while no definition is valid', async () => {
    const broken = join(folder, 'broken-api');
    await mkdir(join(broken, 'endpoints'), { recursive: true });
    await writeFile(join(broken, 'api.yaml'), API);
    await writeFile(join(broken, 'endpoints', 'broken.yaml'), 'name: broken-one\nsql: SELECT');
    const { code, err } = await run(['keys', 'create', 'all', '--scope', '*'], { cwd: broken });
    expect([code, err.includes('Store the secret now')], err).to.deep.equal([0, true]);
  });

  it('create a key with roles, typed claims, limits and an expiry time', async () => {
    const claims = ['--claim', 'tenant=a=b', '--claim', 'level=-3', '--claim', 'is_new=false'];
    const limits = ['--per-minute', '60', '--per-hour', '1000', '--expires', '90d'];
    const words = ['All the data', '--scope', '*', '--role', 'staff', '--role', 'a.b', ...claims, ...limits, '--json'];
    const { code, out, id, secret } = await create(...words);
    const { createdAt, ...printed } = JSON.parse(out);
    const key = {
      ...{ id, name: 'All the data', scopes: ['*'], roles: ['staff', 'a.b'] },
      ...{ claims: { tenant: 'a=b', level: -3, is_new: false }, requestsPerMinute: 60, requestsPerHour: 1000 },
      expiresAt: later(createdAt, 90 * 86_400_000),
    };
    expect([code, printed]).to.deep.equal([0, { ...key, secret }]);
    expect(await list()).to.deep.equal([{ ...key, createdAt, state: 'active' }]);
    expect(await find(secret, later(key.expiresAt, -1))).to.equal(id);
    expect(await find(secret, key.expiresAt)).to.equal(undefined);
  });

  const failures: readonly (readonly [words: readonly string[], ...errors: string[]])[] = [
    [[], "Expected at least one --scope: the name of an endpoint, tag:<tag>, or '*' for all endpoints."],
    [['--scope', '*', '--scope', 'list-orders'], "--scope: '*' includes all other scopes; omit them."],
    [
      ['--scope', 'list-order', '--scope', 'list-people', '--scope', 'tag:sales', '--scope', 'Sales', '--scope', 'x'],
      '--scope: there is no endpoint list-order (did you mean "list-orders"?).',
      '--scope: no endpoint has the tag "sales" (did you mean "tag:Sales"?).',
      '--scope: there is no endpoint Sales (did you mean "tag:Sales"?).',
      '--scope: there is no endpoint x.',
    ],
    [['--scope', '*', '--role', 'a,b'], '--role: expected 1 to 64 letters, digits, _, . and -, got "a,b".'],
    [['--scope', '*', '--claim', 'tenant'], '--claim: expected name=value, got "tenant".'],
    [
      ['--scope', '*', '--claim', 'tenent=x'],
      '--claim: api.yaml declares no such claim: tenent (did you mean "tenant"?).',
    ],
    [['--scope', '*', '--claim', 'toString=x'], '--claim: api.yaml declares no such claim: toString.'],
    [['--scope', '*', '--claim', 'tenant='], '--claim: tenant: expected text of 1 to 1000 characters, got "".'],
    [['--scope', '*', '--claim', 'level=1.5'], '--claim: level: expected an integer, got "1.5".'],
    [
      ['--scope', '*', '--claim', 'level=9007199254740993'],
      '--claim: level: expected an integer, got "9007199254740993".',
    ],
    [['--scope', '*', '--claim', 'is_new=yes'], '--claim: is_new: expected true or false, got "yes".'],
    [['--scope', '*', '--claim', 'level=1', '--claim', 'level=2'], '--claim: level has two values.'],
    [
      ['--scope', '*', '--expires', '90'],
      "error: option '--expires <duration>' argument '90' is invalid. Expected a duration from 1m to 3650d, such as 90d, 24h or 30m.",
      '(use --help for the arguments and options)',
    ],
    [
      ['--scope', '*', '--per-hour', '0'],
      "error: option '--per-hour <number>' argument '0' is invalid. Expected a whole number from 1 to 1000000000.",
      '(use --help for the arguments and options)',
    ],
  ];
  for (const [words, ...errors] of failures) {
    it(`reject ${words.join(' ') || 'a key without a scope'}`, async () => {
      expect(await failureOf('create', 'reports', ...words)).to.deep.equal(errors);
      expect(await list()).to.deep.equal([]);
    });
  }

  it('reject names that are not printable, look like an id, or belong to a key that is not revoked', async () => {
    for (const name of ['', ' a', 'a  b', 'a\nb', 'a\u200bb', 'x'.repeat(61)]) {
      expect(await failureOf('create', name, '--scope', '*')).to.deep.equal([
        `Expected a name of 1 to 60 printable characters, got ${JSON.stringify(name)}.`,
      ]);
    }
    expect(await failureOf('create', '3f9a01c2', '--scope', '*')).to.deep.equal([
      'Expected a name that does not look like an id, got 3f9a01c2.',
    ]);
    const { id } = await create('日報 ✓', '--scope', '*');
    expect(await failureOf('create', '日報 ✓', '--scope', '*')).to.deep.equal([
      `Key ${id} has the name 日報 ✓: choose another name, or revoke or rotate this key.`,
    ]);
    await keys('revoke', '日報 ✓', '--yes');
    expect((await create('日報 ✓', '--scope', '*')).code).to.equal(0);
  });

  it('accept the name of a definition that has problems', async () => {
    expect((await create('reports', '--scope', 'broken-one')).code).to.equal(0);
  });

  it('rotate a key by name or id, with and without a grace for the previous secret', async () => {
    const { id, secret } = await create('reports', '--scope', '*');
    const second = await keys('rotate', id, '--grace', '24h', '--json');
    const { secret: newSecret, previousValidUntil, createdAt, ...others } = JSON.parse(second.out);
    expect(others).to.deep.equal({ id, name: 'reports', scopes: ['*'], roles: [], claims: {} });
    expect(second.err).to.include(
      `Key ${id} (reports) has a new secret. The previous secret is valid until ${previousValidUntil}.\n`,
    );
    expect(await list()).to.deep.equal([{ id, ...others, createdAt, previousValidUntil, state: 'active' }]);
    const secrets = [secret, newSecret];
    const findAll = (at: string) => Promise.all(secrets.map((one) => find(one, at)));
    expect(await findAll(later(previousValidUntil, -1))).to.deep.equal([id, id]);
    expect(await findAll(previousValidUntil)).to.deep.equal([undefined, id]);
    const third = await keys('rotate', 'reports');
    expect(third.err).to.include(`Key ${id} (reports) has a new secret. The previous secret is not valid any more.\n`);
    secrets.push(third.out.trim());
    expect(await findAll(createdAt)).to.deep.equal([undefined, undefined, id]);
  });

  it('revoke a key after a confirmation', async () => {
    const { id, secret } = await create('reports', '--scope', '*');
    expect(await failureOf('revoke', 'reports')).to.deep.equal([
      `This revokes key ${id} (reports) permanently. Confirm with --yes.`,
    ]);
    const [{ createdAt = '' } = {}] = await list();
    expect(await find(secret, createdAt)).to.equal(id);
    expect(await keys('revoke', 'reports', '--yes')).to.deep.equal({
      ...{ code: 0, out: `Key ${id} (reports) was revoked.\n`, err: '' },
    });
    expect(await find(secret, createdAt)).to.equal(undefined);
    const [{ revokedAt, state } = {}] = await list();
    expect(state).to.equal('revoked');
    for (const words of [
      ['revoke', id, '--yes'],
      ['rotate', 'reports'],
    ])
      expect(await failureOf(...words)).to.deep.equal([`Key ${id} (reports) was revoked at ${revokedAt}.`]);
    const other = await create('reports', '--scope', '*');
    const { out } = await keys('revoke', other.id, '--yes', '--json');
    expect(JSON.parse(out)).to.deep.equal({ id: other.id, name: 'reports', revokedAt: (await list())[1]?.revokedAt });
  });

  it('suggest a similar name for an unknown key, and do not rotate an expired key', async () => {
    const expired = '2020-01-31T00:00:00.000Z';
    const { id } = await create('reports', '--scope', '*', '--expires', '1m');
    expect(await failureOf('revoke', 'report', '--yes')).to.deep.equal([
      'There is no key with the name or id "report" (did you mean "reports"?); `keys list` shows all keys.',
    ]);
    const file = join(data(), 'keys.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/(?<="expiresAt": ").*(?=")/, expired));
    expect((await list())[0]).to.include({ id, state: 'expired', expiresAt: expired });
    expect(await failureOf('rotate', 'reports')).to.deep.equal([
      `Key ${id} (reports) expired at ${expired}: revoke it, and create a new key.`,
    ]);
  });

  it('show the last use, and remove keys that ended long ago with their last use', async () => {
    const { id } = await create(
      'reports',
      '--scope',
      '*',
      '--expires',
      '1m',
      '--per-minute',
      '5',
      '--claim',
      'level=2',
    );
    const used = '2026-01-02T03:04:05.000Z';
    await mkdir(join(data(), 'key-use'));
    await writeFile(join(data(), 'key-use', id), '');
    await utimes(join(data(), 'key-use', id), new Date(used), new Date(used));
    const [key] = await list();
    expect(key).to.include({ lastUsedAt: used });
    const { out } = await keys('list');
    const cells = out
      .split('\n')
      .flatMap((line) => (line.includes(id) ? [line.split('│').map((cell) => cell.trim())] : []));
    const { createdAt, expiresAt } = key ?? {};
    expect(cells).to.deep.equal([
      ['', id, 'reports', 'active', '*', '', 'level=2', '5/min', createdAt, expiresAt, used, ''],
    ]);
    const file = join(data(), 'keys.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/(?<="expiresAt": ").*(?=")/g, '2020-01-31T00:00:00.000Z'));
    const other = await create('other', '--scope', '*');
    expect((await list()).map((one) => one.id)).to.deep.equal([other.id]);
    expect(await readdir(join(data(), 'key-use'))).to.deep.equal([]);
  });

  it('add all keys that several processes create at the same time', async () => {
    const names = ['one', 'two', 'three'];
    const outcomes = await Promise.all(
      names.map((name) => runProcess(['keys', 'create', name, '--scope', '*'], { cwd: folder })),
    );
    expect(outcomes.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
    const stored = await list();
    expect(stored.map(({ name }) => name)).to.have.members(names);
    for (const { out } of outcomes) {
      const [, id] = SECRET.exec(out) ?? [];
      expect(await find(out.trim(), stored[0]?.createdAt ?? '')).to.equal(id);
    }
  });

  it('use the file of KEYS_FILE, relative to the folder of api.yaml, and report its problems', async () => {
    const environment = { KEYS_FILE: 'shared.json' };
    const here = (...words: string[]) => run(['keys', ...words], { cwd: join(folder, 'endpoints'), environment });
    expect((await here('create', 'reports', '--scope', '*')).code).to.equal(0);
    const file = join(folder, 'shared.json');
    expect(JSON.parse(await readFile(file, 'utf8')).keys).to.have.length(1);
    expect(await readdir(folder)).to.not.include('.repo-insight');
    await writeFile(file, '{"keys":[');
    const wrong = `Wrong API keys:\n  ${file}:1:10 not JSON: Unexpected end of JSON input\n`;
    for (const words of [['list'], ['create', 'reports', '--scope', '*'], ['rotate', 'reports']])
      expect(await here(...words)).to.deep.equal({ code: 2, out: '', err: wrong });
    await rm(file);
    await rm(`${file}.lock`);
  });

  it('have no claims without api.yaml, and open no database', async () => {
    const environment = {
      DATA_DIR: data(),
      ENDPOINTS_DIR: join(folder, 'endpoints'),
      DATABASE_URL: 'mysql://a:b@127.0.0.1:1/c',
    };
    const service = (...words: string[]) => run(['keys', ...words], { cwd: tmpdir(), environment });
    const { err } = await service('create', 'reports', '--scope', '*', '--claim', 'tenant=x');
    expect(err).to.equal('--claim: a service without api.yaml has no claims: tenant.\n');
    for (const words of [
      ['create', 'reports', '--scope', 'list-orders'],
      ['list'],
      ['rotate', 'reports'],
      ['revoke', 'reports', '--yes'],
    ])
      expect((await service(...words)).code, words.join(' ')).to.equal(0);
    expect(await readdir(data())).to.have.members(['keys.json', 'keys.json.lock']);
  });

  it('complete the names of keys that are not revoked', async () => {
    const complete = async (...words: string[]) =>
      (await run(['complete', '--', 'keys', ...words], { cwd: folder })).out;
    expect(await complete('revoke', '')).to.equal('');
    const { id } = await create('reports', '--scope', '*');
    await create('old', '--scope', '*');
    await keys('revoke', 'old', '--yes');
    expect(await complete('rotate', 'r')).to.equal(`reports\t${id}\n`);
    expect(await complete('revoke', '')).to.equal(`reports\t${id}\n`);
    expect(await complete('create', '')).to.equal('');
  });
});

import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';

const DATABASE_FORMS = 'duckdb:<file>, such as duckdb:data/events.duckdb, or mysql://user:password@host:port/database';

describe('settings', () => {
  const wrong: readonly (readonly [string, string, string])[] = [
    ['DATABASE_URL', 'nonsense', DATABASE_FORMS],
    ['DATABASE_URL', 'duckdb:', DATABASE_FORMS],
    ['DATABASE_URL', 'duckdb::memory:', DATABASE_FORMS],
    ['KEYS_FILE', '/etc/keys', 'a path that ends in .json, such as /etc/repo-insight/keys.json'],
    ['NOW', '2016-02-30', 'an ISO time with its zone, such as 2016-01-01T07:00:00Z'],
    ['NOW', '2016-02-30T07:00:00Z', 'an ISO time with its zone, such as 2016-01-01T07:00:00Z'],
  ];
  for (const [name, value, expected] of wrong) {
    it(`reject ${name}=${value}`, () => {
      expect(() => readSettings({ [name]: value })).to.throw(
        `Wrong settings:\n  ${name}: expected ${expected}, got ${JSON.stringify(value)}`,
      );
    });
  }

  it('reject the URL of a server without showing its password', () => {
    expect(() => readSettings({ DATABASE_URL: 'mysql://ada:se/c@ret@:33x/insight' })).to.throw(
      'Wrong settings:\n  DATABASE_URL: expected mysql://user:password@host:port/database with a URL with percent-encoded ' +
        'special characters, got "mysql://ada:***@:33x/insight"',
    );
  });

  for (const scheme of ['mysql2://', 'mariadb://', ' mysql://', 'mysql:', '']) {
    it(`reject ${scheme}ada:… without showing the password`, () => {
      expect(() => readSettings({ DATABASE_URL: `${scheme}ada:se/c@ret@host/insight` }))
        .to.throw(`got "${scheme}ada:***@host/insight"`)
        .with.property('message')
        .that.does.not.contain('ret');
    });
  }

  it('accept one or several tokens, and reject invalid ones without showing them', () => {
    expect(readSettings({ GITHUB_TOKEN: 'ghp_a, ghp_b' }).githubToken).to.equal('ghp_a, ghp_b');
    expect(() => readSettings({ GITHUB_TOKEN: 'ghp_se cret' })).to.throw(
      'Wrong settings:\n  GITHUB_TOKEN: expected tokens of letters, digits, `_`, `-` and `.`, separated by commas, got another value',
    );
  });

  it('accept URLs for keys and tokens only with https or on this machine', () => {
    for (const name of ['JWT_JWKS_URL', 'GITHUB_API_URL']) {
      for (const url of ['http://10.0.0.8/keys', 'https://me:word@id.example/keys', 'keys.example']) {
        expect(() => readSettings({ [name]: url }), url).to.throw(`${name}: expected `);
      }
    }
    expect(readSettings({ JWT_JWKS_URL: 'http://localhost:8080/keys/' }).jwtJwksUrl).to.equal(
      'http://localhost:8080/keys/',
    );
    expect(readSettings({ GITHUB_API_URL: 'http://[::1]:8080/api/' }).githubApiUrl).to.equal('http://[::1]:8080/api');
  });

  it('reject an incomplete sign-in, and a provider without an encrypted connection', () => {
    const whole = { OIDC_ISSUER: 'https://id.example/', OIDC_CLIENT_ID: 'me', PUBLIC_URL: 'https://insight.example' };
    expect(readSettings(whole).oidcIssuer).to.equal('https://id.example/');
    const rejections = [
      [{ ...whole, OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID: expected the client id for OIDC_ISSUER, got nothing'],
      [{ ...whole, PUBLIC_URL: '' }, 'PUBLIC_URL: expected the URL of this service for OIDC_ISSUER, got nothing'],
      [
        { OIDC_CLIENT_ID: 'me' },
        'OIDC_ISSUER: expected a provider for OIDC_CLIENT_ID here or in OAUTH_PROVIDER, got nothing',
      ],
      [
        { ...whole, OIDC_CLIENT_ID: 'repo-insight' },
        'JWT_AUDIENCE: expected another value than OIDC_CLIENT_ID, which is the audience of ID tokens, got "repo-insight" for both',
      ],
      [
        { ...whole, OIDC_ISSUER: 'http://id.example' },
        'OIDC_ISSUER: expected an https URL, or an http URL of this machine, got "http://id.example"',
      ],
      [
        { ...whole, OIDC_ISSUER: `https://id.example/${'x'.repeat(191)}` },
        'OIDC_ISSUER: expected at most 191 characters',
      ],
      [{ SESSION_SECRET: 'x'.repeat(31) }, 'SESSION_SECRET: expected at least 32 bytes, got another value'],
      ...['SESSION_SECRET', 'JWT_SECRET', 'METRICS_TOKEN'].flatMap((name) =>
        ['x'.repeat(32), 'abcd'.repeat(16), '\u00e9'.repeat(16)].map(
          (value) =>
            [
              { [name]: value },
              `${name}: expected at least 32 random bytes, with 5 different ones, got another value`,
            ] as const,
        ),
      ),
    ] as const;
    for (const [environment, problem] of rejections) {
      expect(() => readSettings(environment)).to.throw(`Wrong settings:\n  ${problem}`);
    }
    expect(readSettings({ ...whole, OIDC_ISSUER: 'http://127.0.0.1:8080' }).oidcIssuer).to.equal(
      'http://127.0.0.1:8080',
    );
  });

  it('reject a PUBLIC_URL to which paths cannot be appended, or that is not encrypted', () => {
    const rejections = [
      ['https://me:secret@insight.example', 'a URL without user and password', 'https://me:***@insight.example'],
      ['https://insight.example/?a=1', 'a URL without query and fragment', 'https://insight.example/?a=1'],
      ['https://insight.example?', 'a URL without query and fragment', 'https://insight.example?'],
      ['https://insight.example/#a', 'a URL without query and fragment', 'https://insight.example/#a'],
      ['http://insight.example', 'an https URL, or an http URL of this machine', 'http://insight.example'],
      ['http://10.0.0.1:3450', 'an https URL, or an http URL of this machine', 'http://10.0.0.1:3450'],
      ['http://localhost.example', 'an https URL, or an http URL of this machine', 'http://localhost.example'],
      ['ftp://localhost', 'an https URL, or an http URL of this machine', 'ftp://localhost'],
      ['insight.example', 'an https URL, or an http URL of this machine', 'insight.example'],
    ] as const;
    for (const [PUBLIC_URL, expected, got] of rejections) {
      const problem = `Wrong settings:\n  PUBLIC_URL: expected ${expected}, got "${got}"`;
      expect(() => readSettings({ PUBLIC_URL }), PUBLIC_URL).to.throw(problem);
    }
    for (const PUBLIC_URL of [
      'https://insight.example/tools',
      'http://localhost:3450',
      'http://127.0.0.1',
      'http://[::1]:1',
    ])
      expect(readSettings({ PUBLIC_URL: `${PUBLIC_URL}/` }).publicUrl).to.equal(PUBLIC_URL);
  });

  it('accept a plain OAuth 2 provider only if it is complete and the only provider', () => {
    const urls = 'https://host.example/authorize  https://host.example/token http://[::1]:8080/user';
    const whole = { OAUTH_PROVIDER: `tests ${urls}`, OIDC_CLIENT_ID: 'me', PUBLIC_URL: 'https://insight.example' };
    expect(readSettings(whole).oauthProvider).to.equal(`tests ${urls.replace('  ', ' ')}`);
    const parts = 'OAUTH_PROVIDER: expected a name and three URLs (authorization, token, user), separated by spaces';
    const rejections = [
      [{ OAUTH_PROVIDER: 'tests' }, `${parts}, got "tests"`],
      [{ OAUTH_PROVIDER: 'tests https://a.example https://b.example' }, parts],
      [
        { OIDC_ISSUER: 'https://id.example' },
        'OAUTH_PROVIDER: expected no value, because OIDC_ISSUER is set; there is one provider',
      ],
      [{ OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID: expected the client id for OAUTH_PROVIDER, got nothing'],
      [{ PUBLIC_URL: '' }, 'PUBLIC_URL: expected the URL of this service for OAUTH_PROVIDER, got nothing'],
      [
        { OAUTH_PROVIDER: 'tests https://a.example http://b.example https://c.example' },
        'OAUTH_PROVIDER: expected an https URL, or an http URL of this machine, got "tests https://a.example http://b.example https://c.example"',
      ],
      [
        { OAUTH_PROVIDER: 'tests https://a.example https://b.example https://me:secret@c.example/user' },
        'OAUTH_PROVIDER: expected a URL without user and password, got "tests https://a.example https:***@c.example/user"',
      ],
      [
        { OAUTH_PROVIDER: `a|b ${urls}` },
        'OAUTH_PROVIDER: expected a name of 1 to 64 letters, digits, `_` and `-`, before the URLs',
      ],
    ] as const;
    for (const [change, problem] of rejections) {
      expect(() => readSettings({ ...whole, ...change })).to.throw(`Wrong settings:\n  ${problem}`);
    }
  });

  it('reject an account that writes to a different database than the one that is read, or to none', () => {
    const urls = (DATABASE_URL: string, DATABASE_WRITE_URL: string) => () =>
      readSettings({ DATABASE_URL, DATABASE_WRITE_URL }).databaseWriteUrl;
    const writer = 'mysql://w:secret@db/insight';
    const wrong = 'Wrong settings:\n  DATABASE_WRITE_URL: expected';
    expect(urls('mysql://r@replica/insight', writer)()).to.equal(writer);
    expect(urls('mysql://r@db/other', writer)).to.throw(`${wrong} the database of DATABASE_URL, other, got insight`);
    for (const url of ['', 'duckdb:x.duckdb']) {
      expect(urls(url, writer)).to.throw(`${wrong} DATABASE_URL to be mysql://… of the same database`);
    }
  });

  it('accept an hour, or whether the archive is followed, if the service can write', () => {
    for (const value of ['no', 'yes', '2026-01-31-5', '2026-01-31'])
      expect(readSettings({ FOLLOW_ARCHIVE: value }).followArchive).to.equal(value);
    for (const value of ['on', '2026-02-30', '2026-01-31-24'])
      expect(() => readSettings({ FOLLOW_ARCHIVE: value })).to.throw(
        'FOLLOW_ARCHIVE: expected no, yes, or the first hour in UTC, such as 2026-01-31-0, got',
      );
    const server = { FOLLOW_ARCHIVE: 'yes', DATABASE_URL: 'mysql://r@db/insight' };
    expect(() => readSettings(server)).to.throw(
      'FOLLOW_ARCHIVE: expected DATABASE_WRITE_URL, because the service writes imported hours',
    );
    expect(readSettings({ ...server, DATABASE_WRITE_URL: 'mysql://w@db/insight' }).followArchive).to.equal('yes');
    expect(readSettings({ ...server, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' }).followArchive).to.equal('yes');
  });

  it('follow tracked repositories only if the service can write', () => {
    const server = { TRACK_REPOSITORIES: 'yes', DATABASE_URL: 'mysql://r@db/insight' };
    expect(() => readSettings(server)).to.throw(
      'TRACK_REPOSITORIES: expected DATABASE_WRITE_URL, because the service writes the counts of GitHub',
    );
    expect(readSettings({ ...server, DATABASE_WRITE_URL: 'mysql://w@db/insight' }).trackRepositories).to.equal('yes');
    expect(readSettings({ TRACK_REPOSITORIES: 'yes' }).trackRepositories).to.equal('yes');
  });

  it('accept the number of repositories up to which those that rise are tracked', () => {
    expect(readSettings({ TRACK_REPOSITORIES: '1000' }).trackRepositories).to.equal('1000');
    for (const wrong of ['0', '-1', '1e3', '1000000', 'maybe']) {
      expect(() => readSettings({ TRACK_REPOSITORIES: wrong }), wrong).to.throw(
        'TRACK_REPOSITORIES: expected no, yes, or',
      );
    }
  });

  it('accept a day, or a time in any zone, for NOW', () => {
    const { now } = readSettings({ NOW: '2016-02-29' });
    const { now: eastern } = readSettings({ NOW: '2016-03-01T01:30:00+05:30' });
    expect([now, eastern]).to.deep.equal(['2016-02-29T00:00:00.000Z', '2016-02-29T20:00:00.000Z']);
  });

  const REDIS = 'REDIS_URL: expected redis://user:password@host:6379/0, or rediss://… for an encrypted connection';
  const PROXIES =
    'TRUSTED_PROXIES: expected addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas';
  const network: readonly (readonly [string, string, string])[] = [
    ['REDIS_URL', 'localhost:6379', `${REDIS}, got "localhost:6379"`],
    ['REDIS_URL', 'http://a:secret@host', `${REDIS}, got "http://a:***@host"`],
    ['REDIS_URL', 'redis://:se@cret@host/one', `${REDIS}, with a number for the database, got "redis://:***@host/one"`],
    ['REDIS_URL', 'redis://:sec?ret@host', `${REDIS}`],
    ['TRUSTED_PROXIES', '10.0.0.0/33', `${PROXIES}, got "10.0.0.0/33"`],
    ['TRUSTED_PROXIES', '0.0.0.0/0', `${PROXIES}, got "0.0.0.0/0"`],
    ['TRUSTED_PROXIES', 'true', `${PROXIES}, got "true"`],
    ['TRUSTED_PROXIES', '10.0.0.1,,10.0.0.2', `${PROXIES}, got "10.0.0.1,,10.0.0.2"`],
    ['TRUSTED_PROXIES', 'proxy.example', `${PROXIES}, got "proxy.example"`],
    ['RATE_LIMIT_PER_HOUR', '-1', 'RATE_LIMIT_PER_HOUR: expected a whole number from 0 to 1000000000, got "-1"'],
    ['SHADOW_SAMPLE_PERCENT', '101', 'SHADOW_SAMPLE_PERCENT: expected a whole number from 0 to 100, got "101"'],
  ];
  for (const [name, value, message] of network) {
    it(`reject ${name}=${value.replace(/se.*ret/, '…')} without showing a password`, () => {
      expect(() => readSettings({ [name]: value }))
        .to.throw(message)
        .with.property('message')
        .that.does.not.match(/se.{0,2}c.{0,2}ret/);
    });
  }

  it('accept proxies by address, network and name, with spaces between them', () => {
    const given = '10.0.0.0/8, ::1, loopback,2001:db8::/32';
    expect(readSettings({ TRUSTED_PROXIES: given }).trustedProxies).to.equal('10.0.0.0/8,::1,loopback,2001:db8::/32');
  });

  it('reject a shadow database that is the database of the service, in any notation', () => {
    const same = [
      { DATABASE_URL: 'duckdb:one.duckdb', SHADOW_DATABASE_URL: 'duckdb:./one.duckdb' },
      { DATA_DIR: 'there', SHADOW_DATABASE_URL: 'duckdb:there/repo-insight.duckdb' },
      { DATABASE_URL: 'mysql://a:b@db/insight', SHADOW_DATABASE_URL: 'mysql://c:d@db:3306/insight?ssl=true' },
    ];
    for (const environment of same) {
      expect(() => readSettings(environment)).to.throw(
        'SHADOW_DATABASE_URL: expected a database other than DATABASE_URL',
      );
    }
    expect(readSettings({ SHADOW_DATABASE_URL: 'duckdb:other.duckdb' }).shadowDatabaseUrl).to.equal(
      'duckdb:other.duckdb',
    );
  });

  it('accept a language model with a URL and a name, and a key only over a private or encrypted connection', () => {
    const whole = { MODEL_URL: 'http://127.0.0.1:11434/v1/', MODEL_NAME: 'qwen', MODEL_KEY: 'sk-secret~1' };
    const { modelUrl, modelName, modelKey, modelTimeoutSeconds, modelTokensPerDay, explorerKeepDays } =
      readSettings(whole);
    expect([modelUrl, modelName, modelKey]).to.deep.equal(['http://127.0.0.1:11434/v1', 'qwen', 'sk-secret~1']);
    expect([modelTimeoutSeconds, modelTokensPerDay, explorerKeepDays]).to.deep.equal([60, 2_000_000, 30]);
    const hosts = [
      'localhost',
      'ollama',
      'gpu.internal',
      'gpu.local',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.0.9',
      '[::1]',
      '[fd00::7]',
    ];
    for (const host of hosts) {
      const url = `http://${host}:8000/v1`;
      expect(readSettings({ ...whole, MODEL_URL: url }).modelUrl, host).to.equal(url);
    }
    const open = { MODEL_URL: 'http://models.example/v1', MODEL_NAME: 'qwen' };
    expect(readSettings(open).modelUrl).to.equal('http://models.example/v1');
    const encrypted = 'an https URL, or an http URL of this machine or a private network, because MODEL_KEY is set';
    const rejections = [
      [{ MODEL_NAME: '' }, 'MODEL_NAME: expected the name of a model at MODEL_URL, got nothing'],
      [{ MODEL_URL: '' }, 'MODEL_URL: expected the URL of a server for MODEL_NAME, got nothing'],
      [{ MODEL_URL: '', MODEL_NAME: '' }, 'MODEL_URL: expected the URL of a server for MODEL_KEY, got nothing'],
      [{ MODEL_URL: open.MODEL_URL }, `MODEL_URL: expected ${encrypted}, got "http://models.example/v1"`],
      [{ MODEL_URL: 'http://172.32.0.1/v1' }, `MODEL_URL: expected ${encrypted}, got "http://172.32.0.1/v1"`],
      [{ MODEL_URL: 'http://127.0.0.1.example/v1' }, `MODEL_URL: expected ${encrypted}`],
      [
        { MODEL_URL: 'https://me:hidden@models.example/v1' },
        'MODEL_URL: expected a URL without user and password, got "https://me:***@models.example/v1"',
      ],
      [{ MODEL_URL: 'https://models.example/v1?key=x' }, 'MODEL_URL: expected a URL without query and fragment'],
      [{ MODEL_URL: 'models.example' }, 'MODEL_URL: expected an http or https URL, got "models.example"'],
      [{ MODEL_KEY: 'sk secret' }, 'MODEL_KEY: expected 1 to 1000 ASCII characters without spaces, got another value'],
      [{ MODEL_TIMEOUT_SECONDS: '0' }, 'MODEL_TIMEOUT_SECONDS: expected a whole number from 1 to 3600, got "0"'],
      [
        { MODEL_TOKENS_PER_DAY: '1e6' },
        'MODEL_TOKENS_PER_DAY: expected a whole number from 0 to 1000000000000, got "1e6"',
      ],
      [{ EXPLORER_KEEP_DAYS: '-1' }, 'EXPLORER_KEEP_DAYS: expected a whole number from 0 to 36500, got "-1"'],
    ] as const;
    for (const [change, problem] of rejections) {
      expect(() => readSettings({ ...whole, ...change })).to.throw(`Wrong settings:\n  ${problem}`);
    }
  });

  it('accept a mail server with a sender and the URL of the service, and reject other texts', () => {
    const whole = {
      SMTP_URL: 'smtps://me:hidden@mail.example:465',
      MAIL_FROM: 'Repo Insight <digest@mail.example>',
      PUBLIC_URL: 'https://insight.example',
    };
    const { smtpUrl, mailFrom } = readSettings(whole);
    expect([smtpUrl, mailFrom]).to.deep.equal([whole.SMTP_URL, whole.MAIL_FROM]);
    const sender = 'MAIL_FROM: expected an address such as digest@mail.example, or Name <digest@mail.example>';
    const rejections = [
      [{ SMTP_URL: '' }, 'SMTP_URL: expected the URL of a mail server for MAIL_FROM, got nothing'],
      [{ MAIL_FROM: '' }, 'MAIL_FROM: expected the sender of e-mails for SMTP_URL, got nothing'],
      [{ PUBLIC_URL: '' }, 'PUBLIC_URL: expected the URL of this service for SMTP_URL, got nothing'],
      [{ SMTP_URL: 'https://mail.example' }, 'SMTP_URL: expected an smtp:// or smtps:// URL without path, got'],
      [{ SMTP_URL: 'smtp://mail.example/?pool=true' }, 'SMTP_URL: expected an smtp:// or smtps:// URL without path'],
      [
        { SMTP_URL: 'smtp://me:50%off@mail.example' },
        'SMTP_URL: expected a percent-encoded user and password (encode % as %25), got',
      ],
      [{ SMTP_URL: 'smtp://me@mail.example' }, 'SMTP_URL: expected a user and a password, or neither of them, got'],
      [{ MAIL_FROM: 'digest' }, sender],
      [{ MAIL_FROM: 'a@mail.example, b@mail.example' }, sender],
      [{ MAIL_FROM: 'A <a@mail.example>, B <b@mail.example>' }, sender],
      [{ MAIL_FROM: 'A\r\nBcc: b@mail.example <a@mail.example>' }, sender],
    ] as const;
    for (const [change, problem] of rejections) {
      expect(() => readSettings({ ...whole, ...change })).to.throw(`Wrong settings:\n  ${problem}`);
      expect(() => readSettings({ ...whole, ...change })).to.not.throw('hidden');
    }
  });
});

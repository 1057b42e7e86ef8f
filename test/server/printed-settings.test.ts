import { expect } from 'chai';
import { printValue } from '../../server/settings/read-settings.js';
import type { Setting } from '../../server/settings/setting.js';
import { SETTINGS } from '../../server/settings/settings.js';

/** A URL with the asterisks that are printed instead of the password. */
const URL_OF_SERVER = 'mysql://ada:***@db.example:3306/insight';
/** Values for settings without a default, and other valid values for some settings with a default. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: [URL_OF_SERVER, 'duckdb:data/x.duckdb'],
  DATABASE_WRITE_URL: [URL_OF_SERVER],
  DATABASE_CONNECTIONS: ['7'],
  DATABASE_MEMORY: ['400MB', '1.5 gib'],
  PLAYGROUND_DATABASE_URL: [URL_OF_SERVER],
  SHADOW_DATABASE_URL: [URL_OF_SERVER, 'duckdb:shadow.duckdb'],
  MODEL_URL: ['http://model.example/v1/'],
  MODEL_NAME: ['small-1'],
  JWT_JWKS_URL: ['https://id.example/keys'],
  PUBLIC_URL: ['https://insight.example/'],
  OIDC_ISSUER: ['https://id.example/'],
  OIDC_CLIENT_ID: ['a client'],
  OIDC_SCOPES: ['openid email'],
  OAUTH_PROVIDER: ['git https://a.example/auth  https://a.example/token https://a.example/user'],
  ENDPOINTS_DIR: ['more/endpoints'],
  PAGES_DIR: ['built-in,more/pages'],
  EMBED_ORIGINS: ['*', 'https://blog.example,https://wiki.example:8443'],
  KEYS_FILE: ['/etc/keys.json'],
  MAIL_FROM: ['digest@mail.example', 'Repo Insight <digest@mail.example>'],
  NOW: ['2016-01-01', '2016-01-01T07:00:00+02:00'],
  METRICS_PORT: ['9464'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['http://127.0.0.1:4318'],
  REDIS_URL: ['rediss://cache.example/1'],
  TRUSTED_PROXIES: ['loopback, 10.0.0.0/8,::1'],
  CACHE_MEMORY: [
    ...['0', '0KB', '1kB', '1KiB', '64mb', '64MiB', '1.5 GB', '1.001GiB', '0.001MB', '4.35kB', '999.999kB'],
    ...['1.023KiB', '123456.789MB', '999999998.999kB', '999999.999GiB', '0.123kib'],
  ],
};

describe('printed settings', () => {
  for (const setting of Object.values<Setting<unknown>>(SETTINGS)) {
    const { name, defaultText, parse, isSecret } = setting;
    it(`of ${name} ${isSecret === true ? 'hide its value' : 'can be read again'}`, () => {
      expect(printValue(setting, undefined)).to.equal(null);
      if (isSecret === true) return expect(printValue(setting, 'a secret value')).to.equal('***');
      const texts = [...(SAMPLES[name] ?? []), ...(defaultText === undefined ? [] : [defaultText])];
      expect(texts).to.not.deep.equal([]);
      for (const text of texts) {
        const value = parse(text);
        const printed = printValue(setting, value);
        expect([text, parse(String(printed))]).to.deep.equal([text, value]);
        expect(printValue(setting, parse(String(printed)))).to.equal(printed);
      }
      return undefined;
    });
  }

  it('have the shortest form of a size, and the exact number of its bytes', () => {
    const print = (text: string) => printValue(SETTINGS.cacheMemory, SETTINGS.cacheMemory.parse(text));
    const texts = ['64MB', '65536 KiB', '0.5GB', '4.35kB', '1234.567kB', '0MB'];
    expect(texts.map(print)).to.deep.equal(['64MB', '64MiB', '0.5GB', '4.35kB', '1234.567kB', '0']);
    expect(SETTINGS.cacheMemory.parse('4.35kB')).to.equal(4_350);
  });

  it('hide the password of a URL', () => {
    expect(printValue(SETTINGS.redisUrl, 'redis://ada:secret@cache.example/0')).to.equal(
      'redis://ada:***@cache.example/0',
    );
  });
});

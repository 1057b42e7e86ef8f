import { expect } from 'chai';
import { SETTINGS } from '../../server/settings/settings.js';
import { REMOVED_SETTINGS, unknownSettings } from '../../server/settings/unknown-settings.js';
import { COMMON_NAMES, LINKS } from './common-environment.js';

const NAMES = Object.values(SETTINGS).map(({ name }) => name);
const problemsOf = (environment: Readonly<Record<string, string>>) => unknownSettings(environment, NAMES);

describe('unknown settings', () => {
  const misspelled: readonly (readonly [string, string])[] = [
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRUSTED_PROXY_ADDRESSES', 'TRUSTED_PROXIES'],
    ['RATE_LIMIT', 'RATE_LIMIT_PER_HOUR or RATE_LIMIT_PER_MINUTE'],
    ['RATE_LIMIT_PER_DAY', 'RATE_LIMIT_PER_HOUR or RATE_LIMIT_PER_MINUTE'],
    ['RATELIMIT_PER_HOUR', 'RATE_LIMIT_PER_HOUR'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
    ['JWT_KEY', 'JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS_URL, or JWT_SECRET'],
    ['SESSION_HOURS', 'SESSION_SECRET or SESSION_DAYS'],
    ['PLAYGROUND_LIMIT', 'PLAYGROUND_PER_MINUTE, PLAYGROUND_SECONDS, PLAYGROUND_MEMORY, or PLAYGROUND_DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['MODEL_URI', 'MODEL_URL'],
    ['MODEL_TIMEOUT', 'MODEL_TIMEOUT_SECONDS'],
    ['EXPLORER_DAYS', 'EXPLORER_KEEP_DAYS'],
    ['CORS_ORIGINS', 'CORS_ORIGIN'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['GITHUB_TOKENS', 'GITHUB_TOKEN'],
  ];
  for (const [given, meant] of misspelled) {
    it(`are reported with a suggestion: ${given}`, () => {
      expect(problemsOf({ [given]: '1' })).to.deep.equal([`${given} is not a setting; did you mean ${meant}?`]);
    });
  }

  it('that have no value are ignored', () => {
    expect(problemsOf({ TRUSTED_PROXY: '', HOST_TOKEN: '' })).to.deep.equal([]);
  });

  it('of earlier versions are reported with their replacement', () => {
    expect(problemsOf({ HOST_TOKEN: 'x', LOG_FORMAT: 'json' })).to.deep.equal([
      'HOST_TOKEN was removed: use GITHUB_TOKEN',
      'LOG_FORMAT was removed: the log is readable on a terminal and JSON lines elsewhere',
    ]);
    const replacements = Object.values(REMOVED_SETTINGS).flatMap((text) => /^use (\w+)$/.exec(text)?.[1] ?? []);
    expect(NAMES).to.include.members(replacements);
    expect(NAMES.filter((name) => name in REMOVED_SETTINGS)).to.deep.equal([]);
  });

  it('are not found in common environments', () => {
    expect(COMMON_NAMES).to.have.length.above(200);
    expect(problemsOf(Object.fromEntries(COMMON_NAMES.map((name) => [name, '1'])))).to.deep.equal([]);
  });

  it('are not found in the service links of Docker and Kubernetes', () => {
    expect(problemsOf(LINKS)).to.deep.equal([]);
    expect(problemsOf({ DATABASE_PORT: '3306', DATABASE_NAME: 'insight' })).to.have.length(2);
    const parts = { DATABASE_HOST: 'db', DATABASE_PORT: '3306', DATABASE_PASSWORD: 'x' };
    expect(problemsOf({ ...parts, DATABASE_URL: 'mysql://db/insight' })).to.deep.equal([]);
  });

  it('are few enough', () => {
    expect(NAMES).to.have.length.at.most(65);
  });
});

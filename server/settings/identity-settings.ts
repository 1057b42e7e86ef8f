import {
  parseAccountText,
  parseIssuer,
  parseOauthProvider,
  parsePublicUrl,
  parseSecret,
  parseSecureUrl,
} from './forms.js';
import { number, optionalText, secret, text } from './setting.js';

/** The settings of tokens, sign-in and sessions. */
export const IDENTITY_SETTINGS = {
  jwtIssuer: text({
    name: 'JWT_ISSUER',
    form: '<text>',
    default: 'repo-insight',
    parse: parseAccountText,
    help: 'Issuer (`iss`) whose tokens are accepted.',
    when: 'another service issues tokens',
  }),
  jwtAudience: text({
    name: 'JWT_AUDIENCE',
    form: '<text>',
    default: 'repo-insight',
    help: 'Audience (`aud`) that tokens must contain.',
    when: 'the issuer uses another name for this service',
  }),
  jwtJwksUrl: optionalText({
    name: 'JWT_JWKS_URL',
    form: '<url>',
    parse: parseSecureUrl,
    help: 'URL at which the issuer publishes its keys (JWKS).',
    when: 'the issuer signs with public keys',
  }),
  jwtSecret: secret({
    name: 'JWT_SECRET',
    parse: parseSecret,
    help: 'Secret of at least 32 bytes, shared with the issuer of tokens. If neither this nor JWT_JWKS_URL is set, the service generates a secret in DATA_DIR.',
    when: 'the issuer signs with a shared secret, or several processes serve together',
  }),
  publicUrl: optionalText({
    name: 'PUBLIC_URL',
    form: '<url>',
    parse: parsePublicUrl,
    help: 'URL at which browsers and clients access this service. Required for sign-in.',
    when: 'users sign in with a browser',
  }),
  oidcIssuer: optionalText({
    name: 'OIDC_ISSUER',
    form: '<url>',
    parse: parseIssuer,
    help: 'Issuer URL of an OpenID Connect provider for sign-in.',
    when: 'users sign in at an OpenID Connect provider',
  }),
  oidcClientId: optionalText({
    name: 'OIDC_CLIENT_ID',
    form: '<text>',
    help: 'Client id of this service at the provider.',
    when: 'users sign in with a browser',
  }),
  oidcClientSecret: secret({
    name: 'OIDC_CLIENT_SECRET',
    help: 'Client secret of this service at the provider. Unset: a public client.',
    when: 'the provider issued a secret',
  }),
  oidcScopes: optionalText({
    name: 'OIDC_SCOPES',
    form: '<scopes>',
    help: 'Scopes to request, separated by spaces. Unset: `openid profile email`, or no scope with OAUTH_PROVIDER.',
    when: 'the provider needs other scopes for login and e-mail address',
  }),
  oauthProvider: optionalText({
    name: 'OAUTH_PROVIDER',
    form: '<name> <url> <url> <url>',
    parse: parseOauthProvider,
    help: 'Plain OAuth 2 provider for sign-in, instead of OIDC_ISSUER: a name that identifies its accounts, and its authorization URL, token URL and user URL. Only GitHub may have the name `host` or `github`.',
    when: 'users sign in at GitHub or another provider without OpenID Connect',
  }),
  sessionSecret: secret({
    name: 'SESSION_SECRET',
    parse: parseSecret,
    help: 'Secret of at least 32 bytes that signs session cookies and encrypts the cursors of pages. Unset: a generated secret in DATA_DIR; JWT_SECRET encrypts the cursors if it is set.',
    when: 'you run several processes of the service',
  }),
  sessionDays: number({
    name: 'SESSION_DAYS',
    default: 7,
    least: 1,
    most: 365,
    help: 'Days after which users must sign in again.',
    when: 'your rules require shorter or longer sessions',
  }),
} as const;

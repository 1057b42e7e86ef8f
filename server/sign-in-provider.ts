import { createOauthProvider } from '../accounts/identity/oauth-provider.js';
import { createOidcProvider } from '../accounts/identity/oidc-provider.js';
import type { SignInProvider } from '../accounts/identity/sign-in-provider.js';
import type { Settings } from './settings/settings.js';
import { CLOCK_SKEW_SECONDS } from './settings/timeouts.js';
import { PROVIDER_FETCH } from './token-rules.js';

export type ProviderSettings = Pick<
  Settings,
  'jwtIssuer' | 'oauthProvider' | 'oidcClientId' | 'oidcClientSecret' | 'oidcIssuer' | 'oidcScopes' | 'publicUrl'
>;

/**
 * Creates the client of the identity provider. Returns undefined if no provider is configured. The provider sends no request before the
 * first sign-in.
 */
export function createSignInProvider(settings: ProviderSettings): SignInProvider | undefined {
  const { oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes, publicUrl } = settings;
  if (clientId === undefined || publicUrl === undefined) return undefined;
  const callbackUrl = new URL(`${publicUrl}/sign-in/callback/`);
  const client = { clientId, ...(clientSecret !== undefined && { clientSecret }), callbackUrl, fetch: PROVIDER_FETCH };
  const { oidcIssuer, oauthProvider } = settings;
  if (oidcIssuer !== undefined) {
    const issuer = new URL(oidcIssuer);
    const isTokenIssuer = oidcIssuer === settings.jwtIssuer;
    const rules = { isTokenIssuer, scopes: scopes ?? OIDC_SCOPES, clockSkew: CLOCK_SKEW_SECONDS };
    return createOidcProvider({ ...client, ...rules, issuer });
  }
  if (oauthProvider === undefined) return undefined;
  const [provider = '', authorizationUrl = '', tokenUrl = '', userUrl = ''] = oauthProvider.split(' ');
  return createOauthProvider({
    ...client,
    authorizationUrl: new URL(authorizationUrl),
    tokenUrl: new URL(tokenUrl),
    userUrl: new URL(userUrl),
    scopes: scopes ?? '',
    provider,
  });
}

const OIDC_SCOPES = 'openid profile email';

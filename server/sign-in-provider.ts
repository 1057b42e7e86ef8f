import { createOauthProvider } from '../app-routes/identity/oauth-provider.js';
import { createOidcProvider } from '../app-routes/identity/oidc-provider.js';
import type { SignInProvider } from '../app-routes/identity/sign-in-provider.js';
import { CLOCK_SKEW_SECONDS } from './identity.js';
import type { Settings } from './settings/settings.js';

export type ProviderSettings = Pick<
  Settings,
  'oauthProvider' | 'oidcClientId' | 'oidcClientSecret' | 'oidcIssuer' | 'oidcScopes' | 'publicUrl'
>;

/** Where people sign in; undefined where no provider is set. It is asked when somebody signs in, and not before. */
export function signInProvider(settings: ProviderSettings): SignInProvider | undefined {
  const { oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes, publicUrl } = settings;
  if (clientId === undefined || publicUrl === undefined) return undefined;
  const callbackUrl = new URL(`${publicUrl}/sign-in/callback/`);
  const client = { clientId, ...(clientSecret !== undefined && { clientSecret }), callbackUrl };
  const { oidcIssuer, oauthProvider } = settings;
  if (oidcIssuer !== undefined) {
    const issuer = new URL(oidcIssuer);
    return createOidcProvider({ ...client, issuer, scopes: scopes ?? OIDC_SCOPES, clockSkew: CLOCK_SKEW_SECONDS });
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

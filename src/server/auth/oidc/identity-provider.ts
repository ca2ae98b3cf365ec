import type { Configuration } from 'openid-client';
import type { OidcConfig } from '#server/kernel/outside-config.ts';
import { AppError } from '#server/kernel/errors.ts';

/** What a login at the provider is proved with when it comes back; known to the browser's cookie alone. */
export interface OidcProofs {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whom the provider names. */
export interface OidcIdentity {
  readonly issuer: string;
  /** Never changes and is never given to somebody else. */
  readonly subject: string;
  /** `preferred_username`; null when it says none. */
  readonly username: string | null;
  /** Only one that the provider has verified. */
  readonly email: string | null;
  /** What the provider has signed, to be shown to it when its session is to end; left out where it is too long for a cookie. */
  readonly idToken?: string;
}

export interface IdentityProvider {
  /** Where the browser goes to log in. @throws OIDC_UNAVAILABLE */
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly proofs: OidcProofs }>;
  /** Who came back, by the address that the provider sent the browser to. @throws OIDC_UNAVAILABLE, OIDC_REFUSED */
  readonly identify: (cameBackTo: URL, proofs: OidcProofs) => Promise<OidcIdentity>;
  /** Where the browser ends its session at the provider, which sends it on to `after`; null where that has no such place. */
  readonly endSession: (after: string, idToken: string | null) => Promise<string | null>;
}

const TIMEOUT_S = 10;
/** Sealed it has to fit into a cookie. */
const LONGEST_ID_TOKEN = 2_500;
/** How long what the provider says of itself is believed: its keys are looked up anew by the library. */
const KNOWN_MS = 3_600_000;

/**
 * The identity provider of the configuration (OpenID Connect: authorization code with PKCE). It is asked for its
 * addresses at the first login and, after a failure, at the next one: the server starts without it.
 */
export function createIdentityProvider(config: OidcConfig, nowMs: () => number): IdentityProvider {
  let known: { readonly at: number; readonly configuration: Promise<Configuration> } | null = null;
  const reach = (): Promise<Configuration> => {
    if (known !== null && nowMs() - known.at < KNOWN_MS) return known.configuration;
    const configuration = discover(config);
    const entry = { at: nowMs(), configuration };
    known = entry;
    configuration.catch(() => {
      if (known === entry) known = null;
    });
    return configuration;
  };
  return {
    begin: async (redirectUri) => {
      const [client, configuration] = await Promise.all([loadClient(), reach().catch(throwUnavailable)]);
      const proofs = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: proofs.state,
        nonce: proofs.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(proofs.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, proofs };
    },
    identify: async (cameBackTo, { state, nonce, verifier }) => {
      const [client, configuration] = await Promise.all([loadClient(), reach().catch(throwUnavailable)]);
      try {
        const tokens = await client.authorizationCodeGrant(configuration, cameBackTo, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new AppError('OIDC_REFUSED');
        // Many providers tell name and mail only there.
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasMore
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
        const { id_token: idToken = '' } = tokens;
        return {
          ...readIdentity(claims.iss, claims.sub, { ...claims, ...more }),
          ...(idToken.length > 0 && idToken.length <= LONGEST_ID_TOKEN ? { idToken } : {}),
        };
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw new AppError(isUnreachable(error) ? 'OIDC_UNAVAILABLE' : 'OIDC_REFUSED', { cause: error });
      }
    },
    endSession: async (after, idToken) => {
      const [client, configuration] = await Promise.all([loadClient(), reach().catch(throwUnavailable)]);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: after,
        ...(idToken === null ? {} : { id_token_hint: idToken }),
      }).href;
    },
  };
}

/** Only who logs in that way pays for it. */
function loadClient(): Promise<typeof import('openid-client')> {
  return import('openid-client');
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const client = await loadClient();
  // The configuration takes http for this machine only.
  const isPlain = new URL(issuer).protocol === 'http:';
  const found = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: TIMEOUT_S,
    ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
  });
  const metadata = found.serverMetadata();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authenticate = methods.includes('client_secret_basic')
    ? client.ClientSecretBasic
    : client.ClientSecretPost;
  const configuration = new client.Configuration(
    metadata,
    clientId,
    clientSecret,
    authenticate(clientSecret),
  );
  configuration.timeout = TIMEOUT_S;
  if (isPlain) client.allowInsecureRequests(configuration);
  return configuration;
}

function throwUnavailable(cause: unknown): never {
  throw new AppError('OIDC_UNAVAILABLE', { cause });
}

/** The provider was not reached, or failed itself; anything else is a login that proved nothing. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true;
  if (error.cause instanceof Response) return error.cause.status >= 500;
  // What `fetch` throws where there is no connection.
  return error instanceof TypeError && code === undefined;
}

function readIdentity(
  issuer: string,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): OidcIdentity {
  return {
    issuer,
    subject,
    username: textOf(claims['preferred_username']),
    email: claims['email_verified'] === true ? textOf(claims['email']) : null,
  };
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > 200 ? null : text;
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A real OpenID provider on loopback, at which everybody is logged in as whoever `user` says. */
export interface TestProvider {
  readonly issuer: string;
  /** What the environment says to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Who logs in next: the subject, and what the provider claims of it. */
  user: { readonly sub: string; readonly [claim: string]: unknown };
  /** Where a login went first: its parameters, as the provider saw them. */
  readonly asked: () => URLSearchParams;
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const CLIENT = { id: 'trade-erp', secret: 'client-secret-of-the-test-0123456789' };

/** Starts one that takes the erp at these callback addresses. */
export async function startTestProvider(redirectUris: () => readonly string[]): Promise<TestProvider> {
  let asked = new URLSearchParams();
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server: Server = createServer((request, response) => handle(request, response));
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  let callback: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  // Made at the first request: by then it is known where the erp listens.
  const provider = (): Provider => {
    const made = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [...redirectUris()],
          post_logout_redirect_uris: redirectUris().map((uri) => `${new URL(uri).origin}/login`),
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
      cookies: { keys: ['test'] },
      features: { devInteractions: { enabled: false } },
      interactions: {
        url: (_: unknown, interaction: { readonly uid: string }) => `/interaction/${interaction.uid}`,
      },
      // Each login asks anew who it is.
      ttl: { Session: 1, Grant: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...store.user, sub }) }),
    });
    return made;
  };
  let known: Provider | null = null;
  handle = (request, response) => {
    known ??= provider();
    callback ??= known.callback();
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/auth') asked = url.searchParams;
    if (url.pathname.startsWith('/interaction/')) void logIn(known, request, response);
    else callback(request, response);
  };
  const logIn = async (at: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { params, prompt } = await at.interactionDetails(request, response);
    const accountId = store.user.sub;
    const grant = new at.Grant({ accountId, clientId: CLIENT.id });
    grant.addOIDCScope(String(params['scope']));
    const result =
      store.user['denies'] === true
        ? { error: 'access_denied', error_description: 'not today' }
        : prompt.name === 'login'
          ? { login: { accountId } }
          : { consent: { grantId: await grant.save() } };
    await at.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  };
  const store: TestProvider = {
    issuer,
    env: { ERP_OIDC_ISSUER: issuer, ERP_OIDC_CLIENT_ID: CLIENT.id, ERP_OIDC_CLIENT_SECRET: CLIENT.secret },
    user: { sub: 'nobody' },
    asked: () => asked,
    pause: close,
    resume: () => listen(port),
    stop: close,
  };
  return store;
}

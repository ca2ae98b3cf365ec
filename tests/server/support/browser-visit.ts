/** A browser's way through redirects, with a cookie jar for each host. */
export interface Visit {
  /** Follows redirects until `stopAt` says so of an address, or none comes; gives the last address and its answer. */
  readonly open: (
    address: string,
    stopAt?: (url: URL) => boolean,
  ) => Promise<{ readonly url: URL; readonly response: Response | null }>;
  /** Posts with the cookies of the host. */
  readonly post: (address: string) => Promise<Response>;
  /** The cookie header of an address; what was set for a path goes to that path alone. */
  readonly cookies: (url: URL) => string;
  /** Every `set-cookie` that came, as it was written. */
  readonly set: readonly string[];
}

interface Kept {
  readonly origin: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

/** Opens a browser without any cookies. */
export function visit(): Visit {
  let jar: readonly Kept[] = [];
  const set: string[] = [];
  const cookies = (url: URL): string =>
    jar
      .filter(({ origin, path }) => origin === url.origin && url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  const keep = (url: URL, response: Response): void => {
    for (const line of response.headers.getSetCookie()) {
      set.push(line);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; ?path=([^;]+)/i.exec(line)?.[1] ?? '/';
      jar = jar.filter((one) => one.origin !== url.origin || one.name !== name || one.path !== path);
      const isGone = value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line);
      if (!isGone) jar = [...jar, { origin: url.origin, path, name, value }];
    }
  };
  const ask = async (url: URL, method: string): Promise<Response> => {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: cookies(url), ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    keep(url, response);
    return response;
  };
  return {
    open: async (address, stopAt = () => false) => {
      let url = new URL(address);
      for (;;) {
        if (stopAt(url)) return { url, response: null };
        const response = await ask(url, 'GET');
        const next = response.headers.get('location');
        if (next === null) return { url, response };
        await response.body?.cancel();
        url = new URL(next, url);
      }
    },
    post: (address) => ask(new URL(address), 'POST'),
    cookies,
    set,
  };
}

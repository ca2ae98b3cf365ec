import { sealed } from './running-example.ts';

/** An open stream, or the refusal of one. */
export interface Stream {
  readonly status: number;
  /** The text once it holds `part`; `[end]` behind it when the stream has ended. */
  readonly waitFor: (part: string) => Promise<string>;
  readonly close: () => void;
}

/** Opens the notice stream of a person as a browser does. */
export function connectTo(
  url: string,
  token: string,
  personid: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  return connectWith(url, token, { envelope: sealed(personid), headers });
}

/** The same with any text in place of the encrypted personid; none at all when null. */
export async function connectWith(
  url: string,
  token: string,
  {
    envelope,
    headers = {},
  }: { readonly envelope: string | null; readonly headers?: Readonly<Record<string, string>> },
): Promise<Stream> {
  const abort = new AbortController();
  const query = envelope === null ? '' : `?${new URLSearchParams({ personid: envelope }).toString()}`;
  const response = await fetch(`${url}/erp/msg/sse/connect${query}`, {
    headers: { authorization: token, ...headers },
    signal: abort.signal,
  });
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    status: response.status,
    waitFor: async (part) => {
      while (!text.includes(part)) {
        const read = await reader?.read();
        if (read === undefined || read.done) return `${text}[end]`;
        text += read.value;
      }
      return text;
    },
    close: () => abort.abort(),
  };
}

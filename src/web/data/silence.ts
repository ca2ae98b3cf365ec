/** Ends a call of which nothing is heard for too long. */
export interface Silence {
  /** Aborted once it has lasted too long. */
  readonly signal: AbortSignal;
  /** Something came: it begins anew. */
  readonly heard: () => void;
}

/** A silence that begins now. It goes on over the headers of an answer unless `heard` says otherwise. */
export function limitSilence(limitMs: number): Silence {
  const controller = new AbortController();
  const begin = (): ReturnType<typeof setTimeout> =>
    setTimeout(() => controller.abort(new DOMException('nothing came', 'TimeoutError')), limitMs);
  let timer = begin();
  const heard = (): void => {
    clearTimeout(timer);
    timer = begin();
  };
  return { signal: controller.signal, heard };
}

/** The whole of a file however long it takes, while its bytes come. */
export async function readFileBody(response: Response, silence: Silence): Promise<Blob> {
  const parts: BlobPart[] = [];
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    silence.heard();
    parts.push(part.value);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
}

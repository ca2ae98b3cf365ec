import type { LiveEvent as RecordEvent, LiveProvider } from '@refinedev/core';

const CHANNEL = 'erp-records';
type Listener = (event: RecordEvent) => void;

const listeners = new Map<string, Set<Listener>>();
let windows: BroadcastChannel | null = null;

/**
 * refine's live provider: what one window of this browser writes, the lists in the others read again; a message of the
 * server's stream says that something of the person's has changed, so what is shown is read again too.
 */
export const liveProvider: LiveProvider = {
  subscribe: ({ channel, callback }) => {
    openWindows();
    const known = listeners.get(channel) ?? new Set();
    known.add(callback);
    listeners.set(channel, known);
    return { channel, callback };
  },
  unsubscribe: (subscription: { readonly channel: string; readonly callback: Listener }) => {
    listeners.get(subscription.channel)?.delete(subscription.callback);
  },
  publish: ({ channel, type, payload }) => {
    openWindows()?.postMessage({ channel, type, payload });
  },
};

/** Lists and records in front are read again. */
export function tellRecordsChanged(): void {
  for (const channel of listeners.keys()) tell(channel, '*', {});
}

function openWindows(): BroadcastChannel | null {
  if (windows !== null || typeof BroadcastChannel === 'undefined') return windows;
  windows = new BroadcastChannel(CHANNEL);
  windows.onmessage = ({ data }: MessageEvent<Pick<RecordEvent, 'channel' | 'type' | 'payload'>>) =>
    tell(data.channel, data.type, data.payload);
  return windows;
}

function tell(channel: string, type: string, payload: RecordEvent['payload']): void {
  for (const listener of listeners.get(channel) ?? []) listener({ channel, type, payload, date: new Date() });
}

import { expect, test, vi } from 'vitest';
import { liveProvider, tellRecordsChanged } from '#web/data/live-provider.ts';
import { randomKey } from '#web/data/random-key.ts';

const subscribe = (channel: string, callback: () => void): unknown =>
  liveProvider.subscribe({ channel, types: ['*'], callback, params: { subscriptionType: 'useList' } });

test('what another window writes reaches the lists of that resource only', async () => {
  const [contracts, shipments] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const subscriptions = [
    subscribe('resources/export_contract', contracts),
    subscribe('resources/shipment', shipments),
  ];
  const otherWindow = new BroadcastChannel('erp-records');
  otherWindow.postMessage({ channel: 'resources/shipment', type: 'updated', payload: {} });
  await vi.waitFor(() => expect(shipments).toHaveBeenCalledTimes(1));
  expect(contracts).not.toHaveBeenCalled();
  otherWindow.close();
  for (const subscription of subscriptions) liveProvider.unsubscribe(subscription);
});

test('a message refreshes what is shown, until it is unsubscribed', () => {
  const callback = vi.fn<() => void>();
  const subscription = subscribe('resources/buyer', callback);
  tellRecordsChanged();
  liveProvider.unsubscribe(subscription);
  tellRecordsChanged();
  expect(callback).toHaveBeenCalledTimes(1);
});

test('keys are UUIDs of version 4 and differ', () => {
  expect(randomKey()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(randomKey()).not.toBe(randomKey());
});

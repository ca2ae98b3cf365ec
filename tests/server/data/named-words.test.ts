import { expect, test } from 'vitest';
import type { Call } from '#server/records/call/open-call.ts';
import { namedTexts } from '#server/records/read/named-choices.ts';
import { shipped, shippedDefinitions } from '../../resources/shipped-definitions.ts';

/** What an entry of a ledger says of the action that wrote it. */
function spoken(resource: string, values: Readonly<Record<string, unknown>>): string {
  const { catalog } = shippedDefinitions();
  const event = shipped(resource).fields['event'];
  if (catalog === null || event === undefined) throw new TypeError('no definitions');
  return namedTexts(
    { catalog } as Pick<Call, 'services' | 'catalog' | 'caller'>,
    event,
    values,
  )(values['event']);
}

test.each(['bank_entry', 'fund_ledger_entry'])('%s names the action of its document in words', (resource) => {
  expect(spoken(resource, { source_resource: 'payment_request', event: 'confirm' })).toBe(
    shipped('payment_request').lifecycle?.actions['confirm']?.title,
  );
});

test('what is no action of it stands as it is', () => {
  expect(spoken('bank_entry', { source_resource: 'payment_request', event: 'unheard' })).toBe('unheard');
});

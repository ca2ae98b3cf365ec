import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { draftBy } from './draft-by.ts';
import { rollSailing, type Sailing } from './make-declarations.ts';
import type { Story } from './story.ts';

/** What bookings come to, in turn. */
const BOOKINGS = ['gated', 'confirmed', 'draft', 'loaded', 'cancelled', 'booked'] as const;
const REACHED = ['draft', 'booked', 'confirmed', 'loaded', 'gated', 'departed', 'arrived'];
/** From the quay here to the quay there. */
const VOYAGE_DAYS = 24;
const STEPS = ['book', 'confirm', 'load', 'gate_in', 'depart', 'arrive'];

/** Books the space of a shipment, and carries on as far as it comes. */
export async function bookSpace(story: Story, shipment: string, place: number): Promise<void> {
  const { roll } = story;
  // What is being changed is booked afterwards.
  if ((await story.read('shipment', shipment))['status'] === 'amending') return;
  const sailing = rollSailing(story);
  const fate = BOOKINGS[place % BOOKINGS.length] ?? 'draft';
  const id = await draftBy(story, 'dc', { resource: 'shipment', id: shipment, action: 'to_logistics' });
  await story.update('dc', 'logistics_order', id, {
    carrier: roll.pick(['中远海运', '东方海外', '长荣海运']),
    vessel_voyage: `${sailing.vessel}/${sailing.voyage}`,
    containers: [
      { container_no: sailing.container_nos, type: '40HQ', seal_no: `DM${roll.between(100_000, 999_999)}` },
    ],
    quotes: [{ fee_item: 'port', currency: 'CNY', amount: `${roll.between(900, 1800)}.00` }],
    tracks: [{ node: '订舱', time: `${story.day()}T02:00:00Z`, place: '宁波' }],
  });
  const inputs: Readonly<Record<string, OpenRecord>> = {
    confirm: { so_no: `SO${roll.between(1_000_000, 9_999_999)}` },
    depart: { atd: story.day(), bl_no: sailing.bl_no },
    arrive: { ata: story.day() },
  };
  for (const action of STEPS.slice(0, fate === 'cancelled' ? 1 : REACHED.indexOf(fate)))
    await story.act('dc', 'logistics_order', { id, action, inputs: inputs[action] ?? {} });
  if (fate === 'cancelled')
    await story.act('dc', 'logistics_order', { id, action: 'cancel', opinion: '货期推迟，改下一航次' });
}

/** The space of a shipment that sails with this ship: booked, loaded and at the quay. */
export async function bookVoyage(story: Story, shipment: string, sailing: Sailing): Promise<string> {
  const id = await draftBy(story, 'dc', { resource: 'shipment', id: shipment, action: 'to_logistics' });
  await story.update('dc', 'logistics_order', id, {
    carrier: story.roll.pick(['中远海运', '东方海外', '长荣海运']),
    vessel_voyage: `${sailing.vessel}/${sailing.voyage}`,
    containers: [
      {
        container_no: sailing.container_nos,
        type: '40HQ',
        seal_no: `DM${story.roll.between(100_000, 999_999)}`,
      },
    ],
    quotes: [{ fee_item: 'port', currency: 'CNY', amount: `${story.roll.between(900, 1800)}.00` }],
  });
  const inputs = { so_no: `SO${story.roll.between(1_000_000, 9_999_999)}` };
  for (const action of ['book', 'confirm', 'load', 'gate_in'])
    await story.act('dc', 'logistics_order', { id, action, ...(action === 'confirm' ? { inputs } : {}) });
  return id;
}

/** The ship has left, and has come where it went if that is long enough ago. */
export async function followVoyage(story: Story, order: string, { bl_no }: Sailing): Promise<void> {
  const atd = story.day();
  await story.act('dc', 'logistics_order', { id: order, action: 'depart', inputs: { atd, bl_no } });
  story.wait(VOYAGE_DAYS);
  if (story.day() < addDays(atd, VOYAGE_DAYS)) return;
  await story.act('dc', 'logistics_order', { id: order, action: 'arrive', inputs: { ata: story.day() } });
}

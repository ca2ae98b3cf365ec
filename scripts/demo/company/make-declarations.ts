import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { containerNo } from './demo-numbers.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** How far the declaration of a shipment comes, and what ends it otherwise. */
export type DeclarationFate =
  | 'draft' | 'sent' | 'accepted' | 'inspection' | 'released' | 'rejected' | 'withdrawn' | 'amended'; // prettier-ignore

/** What the shipments that are approved but not declared wait for, in turn. */
export const WAITING = ['draft', 'sent', 'inspection', 'accepted', 'rejected', 'withdrawn'] as const;

/** What the bill of lading says, for declaration and shipment alike. */
export interface Sailing {
  readonly vessel: string;
  readonly voyage: string;
  readonly bl_no: string;
  readonly container_nos: string;
}

/** The customs district of each port of loading. */
const DISTRICTS: Readonly<Record<string, string>> = {
  CNNBG: '3100',
  CNSHG: '2200',
  CNQDG: '4200',
  CNXMG: '3700',
  CNYTN: '5300',
  CNGZG: '5100',
};

/** Throws the ship that takes a shipment. */
export function rollSailing({ roll }: Story): Sailing {
  return {
    vessel: roll.pick(['PACIFIC HERON', 'EASTERN LOTUS', 'JADE VOYAGER', 'NORTH CEDAR', 'SILK MERIDIAN']),
    voyage: `${roll.between(10, 99)}${roll.pick(['E', 'W', 'S'])}`,
    bl_no: `${roll.pick(['PHLN', 'ESLT', 'JVGR'])}${roll.between(100_000_000, 999_999_999)}`,
    container_nos: containerNo(roll),
  };
}

/** Lets the clerk complete and send the declaration that the approval of a shipment made, as far as its fate goes. */
export async function declareShipment(
  world: World,
  story: Story,
  declared: {
    readonly shipment: string;
    readonly loadingPort: string;
    readonly sailing: Sailing;
    readonly fate: DeclarationFate;
  },
): Promise<string> {
  const { shipment, sailing, fate } = declared;
  const id = await draftOf(world, shipment);
  if (fate === 'draft') return id;
  const { roll } = story;
  const draft = await story.read('customs_declaration', id);
  await story.update('dc', 'customs_declaration', id, {
    pre_entry_no: String(roll.between(100_000_000, 999_999_999)),
    exit_customs_id: world.refs.of('customs_port', DISTRICTS[declared.loadingPort] ?? '3100'),
    declare_date: story.day(),
    transport_name: `${sailing.vessel}/${sailing.voyage}`,
    bl_no: sailing.bl_no,
    items: (draft['items'] as readonly OpenRecord[]).map((item) => ({
      id: item['id'],
      hs_code: String(item['hs_code']).padEnd(10, '0'),
    })),
    containers: [{ container_no: sailing.container_nos, kind: '40HQ', weight: '3900' }],
  });
  const act = (action: string, inputs: OpenRecord = {}, opinion?: string, actor: 'dc' | 'tm' = 'dc') =>
    story.act(actor, 'customs_declaration', {
      id,
      action,
      inputs,
      ...(opinion === undefined ? {} : { opinion }),
    });
  await act('send');
  if (fate === 'sent') return id;
  if (fate === 'rejected') {
    await act('reject', {}, '商品名称与申报要素不符，请修改后重报');
    return id;
  }
  await act('accept', {
    customs_no: `${roll.between(310_120_260, 310_120_269)}${roll.between(100_000_000, 999_999_999)}`,
  });
  if (fate === 'accepted') return id;
  if (fate === 'inspection' || roll.isHit(0.03)) await act('inspect');
  if (fate === 'inspection') return id;
  await act('release', { export_date: story.day() });
  if (fate === 'withdrawn') await act('revoke', {}, '客户临时改单，海关已同意撤单', 'tm');
  return id;
}

/** A change of a declared shipment that waits for its approval, with the declaration changed already. */
export async function amendDeclared(
  story: Story,
  amended: { readonly shipment: string; readonly declaration: string; readonly owner: string },
): Promise<void> {
  const { shipment, declaration, owner } = amended;
  const opened = await story.act(owner, 'shipment', {
    id: shipment,
    action: 'amend',
    opinion: '工厂少装',
    inputs: { reason_kind: '数量短装' },
  });
  const [made] = opened['_created'] as readonly { readonly id: string }[];
  const version = made?.id ?? '';
  const { items } = await story.read('shipment', shipment);
  const [line] = items as readonly OpenRecord[];
  await story.update(owner, 'shipment_version', version, {
    reason: '装柜时少装一箱',
    changes: [{ field: 'items.packages', line_no: 1, new_value: String(Number(line?.['packages']) - 1) }],
  });
  await story.approve(owner, 'shipment_version', { id: version, levels: 0 });
  await story.act('dc', 'customs_declaration', { id: declaration, action: 'amend', opinion: '件数改单' });
}

async function draftOf({ stage }: World, shipment: string): Promise<string> {
  const [row] = await stage.services.db.query<{ id: string }>(
    `select id from customs_declaration where shipment_id = $1::uuid and status = 'draft'`,
    [shipment],
    'demo_declaration',
  );
  if (row === undefined) throw new RangeError(`no declaration of ${shipment}`);
  return row.id;
}

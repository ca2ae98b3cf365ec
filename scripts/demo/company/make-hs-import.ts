import { addDays } from '#engine/values/dates.ts';
import type { World } from './world.ts';

/** Nobody of the demo trades in it, and the table that ships knows no rates of it. */
const LIBRARY = [
  '商品代码,商品名称,计量单位,征税率,退税率,起始日期,截止日期,特殊商品标识',
  '01012100,改良种用马,千克,9%,0%,20230101,,',
].join('\r\n');

/** The tax office's new table of rates is handed to the worker, who looks what it would change. */
export async function uploadHsCodes({ stage }: World): Promise<void> {
  const [known] = await stage.services.db.query('select 1 from hs_code_import limit 1');
  if (known !== undefined) return;
  const story = stage.begin('hs codes', addDays(stage.today, -20));
  const file = await story.upload('group', '退税率文库.csv', Buffer.from(`\ufeff${LIBRARY}`));
  const { id } = await story.create('group', 'hs_code_import', { rates: [file] });
  await story.act('group', 'hs_code_import', { id: String(id), action: 'look' });
}

/** What the worker has looked through by now is taken over; who is not done yet is not waited for. */
export async function importHsCodes({ stage }: World): Promise<void> {
  const [looked] = await stage.services.db.query<{ id: string }>(
    `select id from hs_code_import where status = 'looked' limit 1`,
  );
  if (looked === undefined) return;
  const story = stage.begin('hs codes taken', addDays(stage.today, -19));
  await story.act('group', 'hs_code_import', { id: looked.id, action: 'apply' });
}

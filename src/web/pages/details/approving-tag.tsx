import type { ErpRecord } from '#engine/schema/resource.ts';

/** Says beside the state that an approval runs which leaves it as it is: 冲销审批中. */
export function ApprovingTag({ record }: { readonly record: ErpRecord }) {
  const running = record['_approving'];
  if (typeof running !== 'object' || running === null || !('title' in running)) return null;
  return <span className="state-tag state-waiting">{String(running.title)}审批中</span>;
}

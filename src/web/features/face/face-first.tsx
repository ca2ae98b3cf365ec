import type { FaceBlockShown } from '#contract/face.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { useOfferedOnce } from '#web/data/use-offered-once.ts';

const WORDS = {
  tasks: '要您确认、补交或回复的，点开就能办',
  start: '从这里下单、申请付款或融资，也可以向我们提问',
  money: '您的余额与每一笔来去；点「追溯」看这笔钱的出处',
  journey: '每票货走到了哪一步，下一步是什么',
  records: '最近的单据，可下载或转发给同事',
} as const satisfies Record<FaceBlockShown['kind'], string>;

/** 第一次使用: what the blocks of the home page are for, until somebody has read it. */
export function FaceFirst({ blocks }: { readonly blocks: readonly FaceBlockShown[] }) {
  const [isOffered, end] = useOfferedOnce(`first-day|${storedPerson()?.id ?? ''}|face`);
  if (!isOffered) return null;
  return (
    <section className="face-block face-first" aria-label="第一次使用">
      <h2>第一次使用？这一页有：</h2>
      <dl>
        {firstOfKinds(blocks).map(({ kind, title }) => (
          <div key={`${kind}.${title}`}>
            <dt>{title}</dt>
            <dd>{WORDS[kind]}</dd>
          </div>
        ))}
        <div>
          <dt>下方菜单</dt>
          <dd>全部业务、资金与资料；右上角「帮助」里有每种单据的说明</dd>
        </div>
      </dl>
      <button type="button" className="face-button" onClick={end}>
        知道了
      </button>
    </section>
  );
}

/** Blocks of one kind are read alike. */
function firstOfKinds(blocks: readonly FaceBlockShown[]): readonly FaceBlockShown[] {
  return blocks.filter(({ kind }, place) => blocks.findIndex((block) => block.kind === kind) === place);
}

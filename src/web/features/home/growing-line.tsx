import { Progress } from 'antd';
import { useQuery } from '@tanstack/react-query';

const ASK_MS = 5_000;

/** Says that the demo company is still growing while one works in it; nothing where there is none. */
export function GrowingLine() {
  const { data = null } = useQuery({
    queryKey: ['growing'],
    queryFn: askGrowth,
    refetchInterval: ({ state }) => (typeof state.data === 'number' ? ASK_MS : false),
  });
  if (data === null) return null;
  return (
    <p className="home-growing" role="status">
      示例公司的其余单据正在后台生成，可以照常使用；列表与数字会陆续增加。
      <Progress percent={data} size="small" aria-label="示例公司建立的进度" />
    </p>
  );
}

/** Percent of what grows behind, from the probe. */
async function askGrowth(): Promise<number | null> {
  const response = await fetch('/ready', { cache: 'no-store' });
  const answer: unknown = response.ok ? await response.json() : null;
  const data = memberOf(answer, 'data');
  const growing = memberOf(data, 'growing');
  return typeof growing === 'number' ? growing : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

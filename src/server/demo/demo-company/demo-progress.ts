/** What a part of the demo costs beside the others. */
const WEIGHTS: Readonly<Record<string, number>> = {
  委托方: 9,
  国外客户: 2,
  供应商: 3,
  商品: 8,
  关联关系: 4,
  外销合同: 30,
  出运明细单: 44,
};
const BAR = 24;

/** Tells whole percents of a company's demo once each. */
export function demoProgress(
  company: string,
  tell: (step: string) => void,
): (title: string, done: number, of: number) => void {
  const shares = new Map<string, number>();
  const total = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);
  let told = -1;
  return (title, done, of) => {
    shares.set(title, Math.min(1, done / of));
    const sum = [...shares].reduce((sofar, [name, share]) => sofar + share * (WEIGHTS[name] ?? 0), 0);
    const percent = Math.floor((sum / total) * 100);
    if (percent <= told) return;
    told = percent;
    const filled = Math.round((percent / 100) * BAR);
    tell(`建立示例数据 ${company} ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${percent}% ${title}`);
  };
}

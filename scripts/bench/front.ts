import { bundleSizes, gzipByKind } from './bundle-sizes.ts';
import { measureEditor } from './editor.ts';
import { type FormTimes, measureForms } from './forms.ts';
import { startFrontServer } from './front-server.ts';
import type { KeyPaint } from './key-paint.ts';
import { type LoginPaint, measureLoginPage } from './login-page.ts';
import { measurePartnerHome } from './partner-home.ts';
import { measureStreams } from './streams.ts';

/** Where the front is measured, and who takes the figures. */
export interface FrontBench {
  readonly env: Readonly<Record<string, string>>;
  /** The built pages. */
  readonly webDir: string;
  readonly add: (what: string, result: string, target: string, isMet: boolean) => void;
}

/** Streams, logins, the login page, the rich-text editor and the forms of documents, on a server of its own with accounts only. */
export async function measureFront({ env, webDir, add }: FrontBench): Promise<void> {
  const server = await startFrontServer(env);
  try {
    const { streams, memoryKb, fanOutMs, loginsPerSecond } = await measureStreams(server);
    add('登录（含选角色，argon2）', `${loginsPerSecond.toFixed(1)} 次每秒`, '', true);
    // Less than nothing would be a fault of the measurement.
    const isMeasured = memoryKb > 0 && memoryKb <= 20;
    add(`${streams} 条消息流，每条内存`, `${memoryKb.toFixed(1)} kB`, '0 至 20 kB', isMeasured);
    add('一条消息从开始写到全部流（p99）', `${fanOutMs.toFixed(0)} ms`, '< 1 s', fanOutMs < 1_000);
    for (const [what, isSlow, limit] of [
      ['登录页首次打开', false, 250],
      ['登录页首次打开（9 Mbit/s、170 ms、四分之一处理器）', true, 1_000],
    ] as const) {
      const visit = await measureLoginPage(server.url, isSlow);
      const isQuick = Math.max(visit.usableMs, visit.firstPaintMs) <= limit;
      add(what, timesOf(visit), `可输入并已绘制 ≤ ${limit} ms`, isQuick);
      const { js, css, image, other } = gzipByKind(webDir, visit.paths);
      const kinds = `JS ${js.toFixed(1)} kB，CSS ${css.toFixed(1)} kB，图片 ${image.toFixed(1)} kB，其他 ${other.toFixed(1)} kB`;
      add('  其中（gzip）', kinds, 'JS ≤ 110 kB', js <= 110);
    }
    const home = await measurePartnerHome(server);
    const isQuick = home.paintedMs <= 1_500;
    const painted = `直接打开 ${ms(home.paintedMs)}，登录后 ${ms(home.afterLoginMs)}`;
    add('客户首页（9 Mbit/s、170 ms、四分之一处理器）', painted, '≤ 1.5 s', isQuick);
    add('  其中登录页以外', `${home.beyondKb.toFixed(0)} kB`, '≤ 150 kB', home.beyondKb <= 150);
    const [, editorKb = 0] =
      bundleSizes(webDir).chunks.find(([name]) => name.startsWith('richtext-control-')) ?? [];
    const isSmall = editorKb > 0 && editorKb <= 220;
    add('编辑器的 JS（gzip，不含图表）', `${editorKb.toFixed(0)} kB`, '≤ 220 kB', isSmall);
    const { openMs, keyMs } = await measureEditor(server.url);
    add('一万字的文档打开', ms(openMs), '< 300 ms', openMs < 300);
    const [middle, slow] = keyMs.map((time) => time.toFixed(1));
    add('文末按一个键到画出（中位、p95）', `${middle} ms、${slow} ms`, '< 16 ms', keyMs[0] < 16);
    const { forms, barePaint, tabs } = await measureForms(server.url);
    for (const form of forms) addForm(add, form, barePaint);
    const grown = tabs.secondMb - tabs.firstMb;
    const memory = `${tabs.startMb.toFixed(0)} MB，${tabs.firstMb.toFixed(0)} MB，${tabs.secondMb.toFixed(0)} MB`;
    add('浏览器内存：开始、开过 50 页、再开 50 页', memory, '再开不增（< 15 MB）', grown < 15);
  } finally {
    await server.close();
  }
}

function addForm(add: FrontBench['add'], form: FormTimes, bare: KeyPaint): void {
  const what = `${form.lines} 行的合同`;
  const { headKeyMs, cellKeyMs } = form;
  add(`${what}：按一个键的处理器时间（表头）`, `${headKeyMs.toFixed(1)} ms`, '< 16 ms', headKeyMs < 16);
  add(`${what}：按一个键的处理器时间（明细）`, `${cellKeyMs.toFixed(1)} ms`, '< 16 ms', cellKeyMs < 16);
  const { fullMs, fourthMs } = form.cellPaint;
  const painted = `${ms(fullMs)}，四分之一处理器 ${ms(fourthMs)}（空白页 ${ms(bare.fullMs)}、${ms(bare.fourthMs)}）`;
  add(`${what}：按键到画出（明细）`, painted, '≤ 16 ms、≤ 24 ms', fullMs <= 16 && fourthMs <= 24);
  const opened = `${ms(form.openMs)}，处理器 ${ms(form.openProcessorMs)}`;
  add(`${what}：打开编辑`, opened, '< 1 s', form.openMs < 1_000);
  add(`${what}：点保存到已保存`, ms(form.saveMs), '< 1 s', form.saveMs < 1_000);
  const list = `${ms(form.listMs)}，处理器 ${ms(form.listProcessorMs)}`;
  add(`${form.lines} 份合同的列表：打开`, list, '< 1 s', form.listMs < 1_000);
  const read = `${ms(form.detailsMs)}，处理器 ${ms(form.detailsProcessorMs)}，${form.detailsElements} 个元素`;
  add(`${what}：打开详情`, read, '≤ 2,000 个元素', form.detailsElements <= 2_000);
}

function timesOf({ transferKb, firstPaintMs, largestPaintMs, usableMs, sendableMs }: LoginPaint): string {
  return `可输入 ${ms(usableMs)}，可提交 ${ms(sendableMs)}，首次绘制 ${ms(firstPaintMs)}，最大绘制 ${ms(largestPaintMs)}，${transferKb.toFixed(0)} kB`;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

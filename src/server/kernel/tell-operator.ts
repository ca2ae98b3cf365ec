import { type Config, DEMO_PASSWORD } from './config.ts';

/** What the terminal of `npm start` shows. */
export const tellOperator = {
  progress: tellProgress(),
  refusal: (message: string): void => void process.stderr.write(`${message}\n`),
  ready: (config: Config, url: string): void => {
    write(`\n外贸综合服务 ERP 已启动：${shownUrl(url)}\n`);
    if (config.isDemo) write(DEMO_LINES);
  },
} as const;

const DEMO_LINES = `
演示账号（密码均为 ${DEMO_PASSWORD}）：
  sp.aa 业务员    dm.aa 部门经理  tm.aa 贸管    dc.aa 单证    fn.aa 财务
  rk.aa 风控      tr.aa 资金      cs.aa 客服    gm.aa 总经理  ad.aa 系统管理员
  第二家公司：把 .aa 换成 .ae。手机登录：13800000001；客户登录：13900000001

按 Ctrl+C 停止。
`;

/** Steps on lines of their own; percents of one thing redraw their line, and in a log file only every tenth is told. */
function tellProgress(): (step: string) => void {
  let drawn = '';
  return (step) => {
    const percent = /^(.*?[█░]+) (\d+)%/.exec(step);
    const subject = percent?.[1]?.replaceAll(/[█░ ]+$/g, '') ?? '';
    const isSame = subject !== '' && subject === drawn;
    drawn = subject;
    if (process.stdout.isTTY) write(`${isSame ? '\u001B[1A\u001B[2K' : ''}· ${step}\n`);
    else if (percent === null || !isSame || Number(percent[2]) % 10 === 0) write(`· ${step}\n`);
  };
}

function write(text: string): void {
  process.stdout.write(text);
}

/** A server on every interface is opened on this machine by its loopback name. */
function shownUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//127.0.0.1:');
}

import { ZipFile } from 'yazl';
import type { FrontServer } from './front-server.ts';
import { whileOthersWait } from './others-wait.ts';
import { signIn } from './session.ts';

const API = '/erp/api';

/** What takes long however it is asked for: files, exports, rich texts, long lists. Others are served meanwhile. */
export async function measureHeavyWork(
  server: FrontServer,
  add: (what: string, result: string, target: string, isMet: boolean) => void,
): Promise<void> {
  const admin = await signIn(server.url, 'ad.aa', 'AD');
  const sales = await signIn(server.url, 'sp.aa', 'SP');
  const post = (path: string, body: unknown, token = admin): Promise<string> =>
    ask(server.url + API + path, token, JSON.stringify(body));
  const upload = (name: string, bytes: Buffer): Promise<string> => {
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(bytes)]), name);
    return ask(`${server.url}${API}/data/hs_code/import`, admin, form);
  };
  const bomb = await workbookBomb();
  const works: readonly (readonly [what: string, work: () => Promise<string>])[] = [
    [`导入 xlsx 炸弹（${(bomb.length / 1000).toFixed(0)} kB，解开 150 MB）`, () => upload('bomb.xlsx', bomb)],
    ['导入 CSV 50,000 行', () => upload('rows.csv', hsCodes(50_000))],
    ['导入 20 MB 引号', () => upload('quotes.csv', Buffer.alloc(20_000_000, '"'))],
    ['10 个同时导出', () => all(10, () => post('/data/hs_code/export', { filters: { code: { startswith: '8' } } }))],
    ['10 个同时查 1,000 行', () => all(10, () => post('/data/hs_code/query', { pageSize: 1_000 }))],
    ['预览 500 行', () => post('/data/export_contract/preview', { items: lines(500) }, sales)],
    ['10 个同时预览 500 行', () => all(10, () => post('/data/export_contract/preview', { items: lines(500) }, sales))],
    ['正文嵌套 40,000 层', () => post('/data/news', { title: '嵌套', content: '<div>'.repeat(40_000) })],
    ['正文 200,000 字符', () => post('/data/news', { title: '长文', content: '<p style="color:red">文字<b>x</b></p>'.repeat(5_500) })],
    ['接口文档', () => all(10, () => ask(`${server.url}${API}/docs/json`, admin))],
  ]; // prettier-ignore
  for (const [what, work] of works) {
    const { toll, result } = await whileOthersWait(server, work);
    const text = `停顿 ${toll.stalledMs.toFixed(0)} ms，他人等待 ${toll.waitedMs.toFixed(0)} ms，${result}`;
    add(what, text, '停顿与等待 < 200 ms', toll.stalledMs < 200 && toll.waitedMs < 200);
  }
}

/** Status and message of an answer. */
async function ask(url: string, authorization: string, body?: string | FormData): Promise<string> {
  const headers = { authorization, ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
  const text = await answer.text();
  return answer.ok ? `${answer.status}` : `${answer.status} ${text.slice(0, 200)}`;
} // prettier-ignore

async function all(times: number, work: () => Promise<string>): Promise<string> {
  const answers = await Promise.all(Array.from({ length: times }, work));
  const counted = new Map<string, number>();
  for (const answer of answers) {
    const status = answer.slice(0, 3);
    counted.set(status, (counted.get(status) ?? 0) + 1);
  }
  return [...counted].map(([status, count]) => `${count}×${status}`).join(' ');
}

function lines(count: number): readonly object[] {
  return Array.from({ length: count }, (_line, index) => ({
    line_no: index + 1,
    name_en: `GOODS ${index}`,
    spec: 'A/B/C',
    hs_code: '8471300000',
    quantity: `${index + 1}.5`,
    unit: 'PCS',
    unit_price: '12.345678',
    packages: 3,
    gross_weight: '12.5',
    net_weight: '11.25',
    volume: '0.125',
  }));
}

function hsCodes(count: number): Buffer {
  const rows = Array.from({ length: count }, (_row, index) => `${10_000_000 + index},名称 ${index},,,,2026-01-01`);
  return Buffer.from(`编码,名称,第一单位,第二单位,增值税率,生效日期\n${rows.join('\n')}`);
} // prettier-ignore

/** A workbook of which the texts are 150 MB when they are unpacked. */
async function workbookBomb(): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (path: string, text: string): void => zip.addBuffer(Buffer.from(text), path);
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  add('xl/workbook.xml', `<workbook xmlns:r="${office}"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`);
  add('xl/_rels/workbook.xml.rels', '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>');
  add('xl/s.xml', `<worksheet><sheetData>${'<row><c t="inlineStr"><is><t>x</t></is></c></row>'.repeat(1_000_000)}</sheetData></worksheet>`);
  add('xl/sharedStrings.xml', `<sst>${'<si><t>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx</t></si>'.repeat(1_700_000)}</sst>`);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
} // prettier-ignore

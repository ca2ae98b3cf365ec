import { JSDOM } from 'jsdom';
import { expect, it } from 'vitest';
import { cleanHtml } from '#server/records/write/clean-richtext.ts';

const ATTACKS = [
  '<script>alert(1)</script>', '<SCRIPT SRC=//evil.example/x.js></SCRIPT>', '<scr<script>ipt>alert(1)</script>',
  '<img src=x onerror=alert(1)>', '<img/src="x"/onerror=alert(1)>', '<img src=x onerror\n=alert(1)>',
  '<img src="javascript:alert(1)">', '<img src=x:x onload=alert(1)>', '<image src=x onerror=alert(1)>',
  '<svg onload=alert(1)>', '<svg><script>alert(1)</script></svg>', '<svg><animate onbegin=alert(1) attributeName=x>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', '<svg><use href="data:image/svg+xml,x#a"/>',
  '<svg><foreignObject><iframe srcdoc="<script>1</script>"></iframe></foreignObject></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>', '<math><maction xlink:href="javascript:alert(1)">x</maction></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">', '<listing>&lt;img onerror=alert(1) src=x&gt;</listing>',
  '<plaintext><img src=x onerror=alert(1)>', '<template><img src=x onerror=alert(1)></template>',
  '<title><img src=x onerror=alert(1)></title>', '<textarea><img src=x onerror=alert(1)></textarea>',
  '<a href="javascript:alert(1)">x</a>', '<a href="java\tscript:alert(1)">x</a>', '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>', '<a href="vbscript:msgbox(1)">x</a>', '<a href="data:text/html,<script>1</script>">x</a>',
  '<a href="JaVaScRiPt:alert(1)" target=_blank>x</a>', '<a onclick=alert(1) href=#>x</a>', '<a href="\u0001javascript:alert(1)">x</a>',
  '<area href="javascript:alert(1)">', '<iframe src="https://evil.example/"></iframe>', '<iframe srcdoc="<script>1</script>"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>', '<iframe src="data:text/html,<script>1</script>"></iframe>',
  '<iframe src="https://map.baidu.com@evil.example/"></iframe>', '<iframe src="//evil.example"></iframe>',
  '<iframe src="https://map.baidu.com/" srcdoc="<script>1</script>"></iframe>', '<iframe onload=alert(1)></iframe>',
  '<frameset onload=alert(1)>', '<object data="data:text/html,x"></object>', '<embed src="javascript:alert(1)">',
  '<applet code=x></applet>', '<base href="javascript:/a/">', '<meta http-equiv=refresh content="0;url=javascript:1">',
  '<link rel=stylesheet href="//evil.example/x.css">', '<style>@import "//evil.example"</style>',
  '<form action="javascript:alert(1)"><button>x</button></form>', '<button formaction="javascript:alert(1)">x</button>',
  '<input onfocus=alert(1) autofocus>', '<input type=image src=x formaction="javascript:1">', '<select onfocus=alert(1) autofocus>',
  '<details open ontoggle=alert(1)>x</details>', '<video src=x onerror=alert(1)></video>', '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>', '<body onload=alert(1)>', '<marquee onstart=alert(1)>x</marquee>',
  '<div style="background:url(javascript:alert(1))">x</div>', '<div style="position:fixed;inset:0">x</div>',
  '<div style="width:expression(alert(1))">x</div>', '<table data-chart="chartType:1;title:<img src=x onerror=alert(1)>"><tr><td>1</table>',
  '<table background="javascript:alert(1)"><tr><td>1</table>', '<a href="/erp/files/1" download="<img src=x onerror=alert(1)>.pdf">x</a>',
  '<p is="x-y" onpointerenter=alert(1)>x</p>', '<dialog open onclose=alert(1)>x</dialog>', '<isindex type=image src=1 onerror=alert(1)>',
]; // prettier-ignore

it.each(ATTACKS)('nothing that runs, loads or covers survives of %s', async (attack) => {
  const saved = await cleanHtml(`<p>正文</p>${attack}`);
  const { document } = new JSDOM(`<body>${saved}</body>`).window;
  expect([...document.body.querySelectorAll('*')].flatMap(faultsOf)).toEqual([]);
  expect(await cleanHtml(saved)).toBe(saved);
});

it.each([
  '<ol start="3"><li>三<ul><li>内</li></ul></li></ol>',
  '<table border="1"><caption>报价</caption><tbody><tr><td colspan="2" rowspan="2" style="background-color: red;">甲</td></tr></tbody></table>',
  '<table data-chart="chartType:1;title:出口额;suffix:万元"><tbody><tr><td>1</td></tr></tbody></table>',
  '<p><a name="a1"></a><img src="/erp/files/1" alt="图" style="width: 50%;"></p><hr class="pagebreak">',
])('what an author wrote stays as it was: %s', async (html) => expect(await cleanHtml(html)).toBe(html));

it.each([
  ['<table data-chart="chartType:7;title:额;x:y"><tbody><tr><td>1</td></tr></tbody></table>', 'title:额'],
  ['<table data-chart="title:&lt;img src=x&gt;;chartType:5"><tbody><tr><td>1</td></tr></tbody></table>', 'title:%3Cimg src=x%3E;chartType:5'],
  ['<p data-chart="chartType:5">1</p>', null],
])('the chart of %s is checked', async (html, chart) => {
  const saved = await cleanHtml(html);
  expect(new JSDOM(saved).window.document.querySelector('[data-chart]')?.getAttribute('data-chart') ?? null).toBe(chart);
}); // prettier-ignore

it('an allowed frame is kept, in a sandbox', async () => {
  const saved = await cleanHtml('<iframe src="https://map.baidu.com/?q=1" width="400"></iframe>');
  expect(saved).toContain('src="https://map.baidu.com/?q=1"');
  expect(saved).toContain('sandbox="allow-scripts');
});

const FORBIDDEN =
  /^(?:script|style|object|embed|base|meta|link|form|button|svg|math|template|select|textarea|dialog)$/;

/** What of an element could run, load or cover something. */
function faultsOf(element: Element): readonly string[] {
  const faults = [...element.attributes]
    .filter(
      ({ name, value }) =>
        /^on|^srcdoc$|action$/.test(name) ||
        /^(?:javascript|vbscript|data:text)/i.test(value.replace(/[^!-~]/g, '')) ||
        (name === 'style' && /url\(|position|expression/.test(value)),
    )
    .map(({ name, value }) => `${name}=${value}`);
  if (FORBIDDEN.test(element.localName)) faults.push(element.localName);
  if (element.localName === 'iframe' && element.getAttribute('src') !== 'https://map.baidu.com/')
    faults.push('foreign frame');
  return faults;
}

it('what is nested without end is refused in seconds, and the next text is taken', async () => {
  await expect(cleanHtml('<div>'.repeat(40_000))).rejects.toMatchObject({
    code: 'BODY_TOO_LARGE',
    message: '正文的格式过于复杂，请简化后再保存',
  });
  expect(await cleanHtml('<p onclick="x()">正文</p>')).toBe('<p>正文</p>');
});

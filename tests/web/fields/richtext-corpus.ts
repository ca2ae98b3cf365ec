/** Documents as authors and office programs leave them: each must come back from the editor as it went in. */
export const CORPUS: readonly string[] = [
  ...texts(),
  ...lists(),
  ...tables(),
  ...wrapped(),
  // A long document of ten thousand words.
  '<p>出口货物报关单填制规范：贸易国别与最终目的国应当一致。</p>'.repeat(400),
];

/** Documents whose every part must stay editable: nothing of them may become a grey box. */
export const EDITABLE: readonly string[] = [
  '<table border="1"><tbody><tr><td>甲</td><td>乙</td></tr></tbody></table>',
  '<table border="1"><caption>报价</caption><tbody><tr><td>甲</td></tr></tbody></table><p>后</p>',
  '<table class="wide" border="0" cellpadding="4"><thead><tr><th>列</th><th>额</th></tr></thead><tbody><tr><td>值</td><td>1</td></tr></tbody><tfoot><tr><td>合计</td><td>1</td></tr></tfoot></table>',
  '<table border="1"><colgroup><col style="width: 72pt;"><col width="80"></colgroup><tbody><tr style="height: 14.4pt;"><td valign="top" align="right">甲</td><td style="width: 50%; padding: 3px; text-align: center;">乙</td></tr></tbody></table>',
  '<table width="100%" border="1"><tbody><tr><td colspan="2">甲</td></tr><tr><td>乙</td><td>丙</td></tr></tbody></table>',
  '<table style="width: 100%; border-collapse: collapse;"><tbody><tr height="20"><td bgcolor="#ff0000">甲</td></tr></tbody></table>',
  '<table data-chart="chartType:1;title:月"><tbody><tr><th>月</th><th>额</th></tr><tr><td>一月</td><td>3</td></tr></tbody></table>',
  '<ol start="3"><li>三</li><li>四<ol type="a"><li>甲</li></ol></li></ol>',
  '<ul style="list-style-type: square;"><li class="a">甲</li></ul>',
  '<p class="MsoNormal" id="c1" style="text-indent: -2em; padding-left: 2em; text-align: center;">类</p>',
  '<p><span style="letter-spacing: 2px; color: rgb(255, 0, 0);">疏<strong>粗</strong>疏</span>文</p>',
  '<p><a href="https://example.com/" title="说明" class="more">链接</a></p>',
  '<h6 style="line-height: 1.3;">六级</h6>',
  '<blockquote style="margin-left: 40px;">引</blockquote>',
];

function texts(): readonly string[] {
  return [
    '<p>正文</p>',
    '<h1>一级</h1><h2>二级</h2><h3>三级</h3><h4>四级</h4><h5>五级</h5><p>文</p>',
    '<h6>六级</h6>',
    '<p><strong>粗</strong><em>斜</em><u>下划</u><s>删除</s><sub>下</sub><sup>上</sup><code>码</code></p>',
    '<p><span style="color: rgb(255, 0, 0);">红</span></p>',
    '<p><span style="background-color: rgb(255, 255, 0);">黄底</span></p>',
    '<p><span style="font-size: 18px;">大</span></p>',
    '<p style="text-align: center;">中</p>',
    '<p style="line-height: 1.75;">行距</p>',
    '<p style="text-indent: 2em;">首行缩进</p>',
    '<p style="margin-top: 10px; margin-bottom: 20px;">段距</p>',
    '<p>甲<br>乙</p>',
    '<p>链接<a href="https://example.com/" target="_blank" rel="noopener noreferrer">说明</a>完</p>',
    '<blockquote>引用</blockquote><p>后</p>',
    '<blockquote><p>一</p><p>二</p></blockquote>',
    '<pre><code class="language-javascript">const a = 1;</code></pre>',
    '<p>前</p><hr><p>后</p>',
    '<p>前</p><hr class="pagebreak"><p>后</p>',
    '<p>锚<a name="a1" id="a1"></a>点</p>',
    '<p><kbd>Ctrl</kbd>与<mark>标记</mark></p>',
    '<p><ruby>汉<rt>hàn</rt></ruby>字</p>',
    '<p>图<img src="/erp/api/files/f1" alt="箱单">后</p>',
    '<p><a href="/erp/api/files/f2" download="报价单.xlsx" class="attachment">报价单.xlsx</a></p>',
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; 甲</p>',
  ];
}

function lists(): readonly string[] {
  const deep = Array.from({ length: 6 }, (_, level) => nested('ul', level + 1));
  const ordered = Array.from({ length: 6 }, (_, level) => nested('ol', level + 1));
  return [
    ...deep,
    ...ordered,
    '<ol start="3"><li>三</li><li>四</li></ol>',
    '<ol><li>甲</li><li>乙</li></ol><ol><li>丙</li></ol><ol start="4"><li>丁</li></ol>',
    '<ol type="a"><li>甲</li></ol>',
    '<ul><li>甲<ol><li>一</li><li>二</li></ol></li><li>乙</li></ul>',
    '<ol><li><p>段一</p><p>段二</p></li></ol>',
    '<ul><li><strong>粗</strong>文</li></ul><p>间</p><ol><li>甲</li></ol>',
    '<ul><li>甲<table border="1"><tbody><tr><td>表</td></tr></tbody></table></li></ul>',
  ];
}

function nested(tag: string, depth: number): string {
  return depth === 0 ? '' : `<${tag}><li>第${depth}层${nested(tag, depth - 1)}</li></${tag}>`;
}

function tables(): readonly string[] {
  const body = '<tbody><tr><td>甲</td><td>乙</td></tr><tr><td>丙</td><td>丁</td></tr></tbody>';
  return [
    `<table border="1"><caption>报价</caption>${body}</table><p>后</p>`,
    `<table border="0">${body}</table>`,
    `<table class="wide" border="1">${body}</table>`,
    '<table border="1"><thead><tr><th>列</th></tr></thead><tbody><tr><td>值</td></tr></tbody></table>',
    '<table border="1"><tbody><tr><td valign="top" align="right">甲</td></tr></tbody></table>',
    '<table border="1"><tbody><tr><td><p>段一</p><p>段二</p></td></tr></tbody></table>',
    '<table border="1"><tbody><tr><td><ul><li>点</li></ul></td></tr></tbody></table>',
    '<table border="1"><tbody><tr><td style="width: 50%;">甲</td></tr></tbody></table>',
    '<table border="1"><colgroup><col style="width: 72pt;"></colgroup><tbody><tr><td>甲</td></tr></tbody></table>',
    '<table border="1"><tbody><tr><td><table><tbody><tr><td>内</td></tr></tbody></table></td></tr></tbody></table>',
    ...['柱状图', '折线图', '饼图'].map(
      (title, index) =>
        `<table data-chart="chartType:${index};title:${title};suffix:万元"><tbody><tr><th>月</th><th>额</th></tr><tr><td>一月</td><td>3</td></tr></tbody></table>`,
    ),
  ];
}

function wrapped(): readonly string[] {
  return [
    '<div class="notice"><p>一</p><p>二</p></div>',
    '<section><h2>题</h2><p>文</p></section>',
    '<details><summary>条款</summary><p>文</p></details>',
    '<dl><dt>术语</dt><dd>解释</dd></dl>',
    '<figure><img src="/erp/api/files/f1" alt="图"><figcaption>说明</figcaption></figure>',
    '<p class="MsoNormal">类</p>',
    '<p id="clause-1">条款一</p>',
    '<p style="border: 1px solid rgb(0, 0, 0);">框</p>',
    '<p><span style="letter-spacing: 2px;">疏</span></p>',
    '<iframe src="https://map.baidu.com/" width="600" height="400" sandbox="allow-scripts allow-same-origin allow-popups"></iframe>',
    '<p><video src="https://example.com/a.mp4" width="420" height="280" controls=""></video></p>',
    '<p><audio src="https://example.com/a.mp3" controls=""></audio></p>',
  ];
}

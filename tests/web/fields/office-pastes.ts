/** What office programs put on the clipboard, shortened in length but not in kind. */
export interface OfficePaste {
  readonly source: string;
  readonly html: string;
  /** The document as it is kept. */
  readonly kept: string;
  /** What the author is told of that has no place in it. */
  readonly lost?: readonly string[];
}

const WORD_HEAD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Word.Document><!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]--><style><!--
 /* Font Definitions */
 @font-face {font-family:宋体; panose-1:2 1 6 0 3 1 1 1 1 1;}
 p.MsoNormal, li.MsoNormal, div.MsoNormal {mso-style-unhide:no; margin:0cm; text-align:justify; text-justify:inter-ideograph; font-size:10.5pt; font-family:等线;}
--></style></head><body lang=ZH-CN style='tab-interval:21.0pt'><!--StartFragment-->`;
const WORD_TAIL = '<!--EndFragment--></body></html>';

const EXCEL_HEAD = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=Generator content="Microsoft Excel 15"><style>
<!--table {mso-displayed-decimal-separator:"\\."; mso-displayed-thousand-separator:"\\,";}
tr {mso-height-source:auto;}
td {padding-top:1px; color:black; font-size:11.0pt; font-weight:400; text-align:general; vertical-align:middle; white-space:nowrap;}
.xl65 {font-weight:700; text-align:center; background:#FFF2CC; mso-pattern:black none;}
.xl66 {mso-number-format:"\\#\\,\\#\\#0\\.00"; text-align:right;}
--></style></head><body link="#0563C1">`;

export const OFFICE_PASTES: readonly OfficePaste[] = [
  {
    source: 'Word：段落与强调',
    html: `${WORD_HEAD}<p class=MsoNormal align=center style='text-align:center'><b><span style='font-size:16.0pt;font-family:宋体'>出口合同<span lang=EN-US><o:p></o:p></span></span></b></p><p class=MsoNormal style='text-indent:21.0pt;mso-char-indent-count:2.0'><span style='font-family:宋体'>买卖双方同意按下列条款签订本合同。</span><u><span lang=EN-US>FOB NINGBO</span></u></p>${WORD_TAIL}`,
    kept: '<p style="text-align: center;"><b><span style="font-size: 16pt; font-family: SimSun;">出口合同</span></b></p><p style="text-indent: 21pt;"><span style="font-family: SimSun;">买卖双方同意按下列条款签订本合同。</span><u>FOB NINGBO</u></p>',
  },
  {
    source: 'Word：编号列表',
    html: `${WORD_HEAD}<p class=MsoListParagraph style='margin-left:21.0pt;text-indent:-21.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-US><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>付款方式<span lang=EN-US><o:p></o:p></span></p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span>a)<span>&nbsp; </span></span><![endif]>电汇</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>2.<span>&nbsp; </span></span><![endif]>交货期</p>${WORD_TAIL}`,
    kept: '<ol><li>付款方式<ol type="a"><li>电汇</li></ol></li><li>交货期</li></ol>',
  },
  {
    source: 'Word：表格',
    html: `${WORD_HEAD}<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt'><tr style='mso-yfti-irow:0;height:15.6pt'><td width=284 valign=top style='width:213.05pt;border:solid windowtext 1.0pt;padding:0cm 5.4pt 0cm 5.4pt;height:15.6pt'><p class=MsoNormal><b>品名<o:p></o:p></b></p></td><td width=284 style='width:213.05pt;border:solid windowtext 1.0pt;border-left:none;background:#D9E2F3'><p class=MsoNormal align=right style='text-align:right'>金额</p></td></tr></table><p class=MsoNormal><span lang=EN-US><o:p>&nbsp;</o:p></span></p>${WORD_TAIL}`,
    kept: '<table border="1"><colgroup><col width="284"><col width="284"></colgroup><tbody><tr><td style="vertical-align: top;"><b>品名</b></td><td style="background-color: #D9E2F3; text-align: right;">金额</td></tr></tbody></table><p><br></p>',
  },
  {
    source: 'Word：书签、批注与分页',
    html: `${WORD_HEAD}<h1><a name="_Toc152345678"><span style='mso-bookmark:_Toc152345678'>第一章</span></a><span lang=EN-US><o:p></o:p></span></h1><p class=MsoNormal>正文<a style='mso-comment-reference:a_1;mso-comment-date:20261101T0900'></a></p><span lang=EN-US style='font-size:10.5pt'><br clear=all style='page-break-before:always'></span><p class=MsoNormal>第二页</p>${WORD_TAIL}`,
    kept: '<h1>第一章</h1><p>正文</p><hr class="pagebreak"><p>第二页</p>',
    lost: ['批注'],
  },
  {
    source: 'Word：颜色与删除线',
    html: `${WORD_HEAD}<p class=MsoNormal><span style='color:red;background:yellow;mso-highlight:yellow'>注意</span><s><span style='font-family:宋体'>旧价</span></s><sup>2</sup><i>斜</i></p>${WORD_TAIL}`,
    kept: '<p><span style="color: red; background-color: yellow;">注意</span><s><span style="font-family: SimSun;">旧价</span></s><sup>2</sup><i>斜</i></p>',
  },
  {
    source: 'Word：图片',
    html: `${WORD_HEAD}<p class=MsoNormal><!--[if gte vml 1]><v:shape id="_x0000_i1025" style='width:100pt'><v:imagedata src="file:///C:/Users/a/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=133 height=100 src="https://example.com/clip_image002.jpg" v:shapes="_x0000_i1025"><![endif]></p>${WORD_TAIL}`,
    kept: '<p><img src="https://example.com/clip_image002.jpg" width="133" height="100"></p>',
  },
  {
    source: 'Excel：带格式的单元格',
    html: `${EXCEL_HEAD}<table border=0 cellpadding=0 cellspacing=0 width=216 style='border-collapse:collapse;width:162pt'><!--StartFragment--><col width=72 style='width:54pt'><col width=144 style='mso-width-source:userset;width:108pt'><tr height=20 style='height:15.0pt'><td height=20 class=xl65 width=72 style='height:15.0pt;width:54pt'>品名</td><td class=xl65 width=144>金额</td></tr><tr height=20><td height=20>电机</td><td class=xl66 align=right x:num="1234.5">1,234.50</td></tr><!--EndFragment--></table></body></html>`,
    kept: '<table border="1"><colgroup><col width="72"><col width="144"></colgroup><tbody><tr><td style="text-align: center; background-color: #FFF2CC;"><strong>品名</strong></td><td style="text-align: center; background-color: #FFF2CC;"><strong>金额</strong></td></tr><tr><td>电机</td><td style="text-align: right;">1,234.50</td></tr></tbody></table>',
  },
  {
    source: 'Excel：合并单元格',
    html: `${EXCEL_HEAD}<table><!--StartFragment--><col width=64 span=2><tr><td colspan=2 height=20 class=xl65>合计</td></tr><tr><td rowspan=2>A</td><td>1</td></tr><tr><td>2</td></tr><!--EndFragment--></table></body></html>`,
    kept: '<table border="1"><colgroup><col width="64" span="2"></colgroup><tbody><tr><td colspan="2" style="text-align: center; background-color: #FFF2CC;"><strong>合计</strong></td></tr><tr><td rowspan="2">A</td><td>1</td></tr><tr><td>2</td></tr></tbody></table>',
  },
  {
    source: 'WPS 文字：段落',
    html: `<html><head><meta name=Generator content="WPS Office"><style>@page{mso-page-border-surround-header:no;} p.MsoNormal{mso-style-name:正文;margin:0pt;text-align:justify;font-family:Calibri;font-size:10.5000pt;}</style></head><body><!--StartFragment--><p class=MsoNormal align=center style="text-align:center;"><b><span style="mso-spacerun:'yes';font-family:宋体;mso-ascii-font-family:Calibri;font-weight:bold;font-size:10.5000pt;mso-font-kerning:1.0000pt;">通知</span></b><b><span style="mso-spacerun:'yes';font-family:Calibri;"><o:p></o:p></span></b></p><p class=p style="text-indent:21.0000pt;mso-char-indent-count:2.0000;"><span style="mso-spacerun:'yes';font-family:宋体;">请按时申报。</span></p><!--EndFragment--></body></html>`,
    kept: '<p style="text-align: center;"><b><span style="font-family: SimSun; font-size: 10.5pt;">通知</span></b></p><p style="text-indent: 21pt;"><span style="font-family: SimSun;">请按时申报。</span></p>',
  },
  {
    source: 'WPS 表格',
    html: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=Generator content="Microsoft Excel"><!--[if gte mso 9]><xml><x:ExcelWorkbook></x:ExcelWorkbook></xml><![endif]--><style>.et2{text-align:center;vertical-align:middle;} .et3{color:#FF0000;}</style></head><body><!--StartFragment--><table width="144.00" border="0" cellpadding="0" cellspacing="0" style='width:108.00pt;border-collapse:collapse;'><col width="72" span="2" class="et1" style="width:54.00pt;"/><tr height="18" style='height:13.50pt;'><td class="et2" x:str>提单号</td><td class="et3" x:num>8</td></tr></table><!--EndFragment--></body></html>`,
    kept: '<table border="1"><colgroup><col width="72" span="2"></colgroup><tbody><tr><td style="text-align: center; vertical-align: middle;">提单号</td><td style="color: #FF0000;">8</td></tr></tbody></table>',
  },
  {
    source: 'WPS：项目符号',
    html: '<!--StartFragment--><p class=MsoNormal style="margin-left:21.0000pt;text-indent:-21.0000pt;mso-list:l0 level1 lfo1;"><![if !supportLists]><span style="font-family:Wingdings;"><span style=\'mso-list:Ignore;\'>l<span>&nbsp;</span></span></span><![endif]><span style="font-family:宋体;">核对报关单</span></p><p class=MsoNormal style="mso-list:l0 level1 lfo1;"><![if !supportLists]><span>l</span><![endif]>核对发票</p><!--EndFragment-->',
    kept: '<ul><li><span style="font-family: SimSun;">核对报关单</span></li><li>核对发票</li></ul>',
  },
  {
    source: '在线文档',
    html: '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.5;margin-top:0pt;"><span style="font-size:11pt;font-weight:700;font-style:italic;text-decoration:underline;white-space:pre-wrap;">汇率</span></p><ul style="padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;"><p dir="ltr"><span>美元</span></p></li></ul></b>',
    kept: '<p style="line-height: 1.5;"><span style="font-size: 11pt;"><u><em><strong>汇率</strong></em></u></span></p><ul><li>美元</li></ul>',
  },
  {
    source: '网页：层层容器与脚本',
    html: '<div class="article"><div><h2 onclick="track()">政策</h2><section><div style="position:fixed">第一条<script>alert(1)</script></div><p>第二条<iframe src="https://evil.example/"></iframe></p></section></div></div>',
    kept: '<h2>政策</h2><p>第一条</p><p>第二条</p>',
    lost: ['网页中的框架'],
  },
  {
    source: '邮件：引用与换行',
    html: '<div dir="ltr">张经理：<div><br></div><div>附件请查收。<br>谢谢</div><blockquote type="cite"><div>原邮件</div></blockquote></div>',
    kept: '<p>张经理：</p><p><br></p><p>附件请查收。<br>谢谢</p><blockquote>原邮件</blockquote>',
  },
  {
    source: 'Word：字母从 c 起，罗马数字在内层，样式表说编号的样子',
    html: `${WORD_HEAD.replace('--></style>', '@list l0:level1 {mso-level-number-format:alpha-lower; mso-level-text:"%1\\)";} @list l0:level2 {mso-level-number-format:roman-lower; mso-level-text:"%2;";}--></style>')}<p class=MsoListParagraph style='margin-left:18.0pt;text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>c)<span>&nbsp;&nbsp;</span></span><![endif]>装运</p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>i.</span><![endif]>港口</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>d)</span><![endif]>保险</p>${WORD_TAIL}`,
    kept: '<ol start="3" type="a"><li>装运<ol type="i"><li>港口</li></ol></li><li>保险</li></ol>',
  },
  {
    source: 'Word：相邻的两个编号列表，正文后接着编号',
    html: `${WORD_HEAD}<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span>1.</span><!--[endif]-->甲</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><!--[if !supportLists]--><span>1.</span><!--[endif]-->乙</p><p class=MsoNormal>其间</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><!--[if !supportLists]--><span>2.</span><!--[endif]-->丙</p>${WORD_TAIL}`,
    kept: '<ol><li>甲</li></ol><ol><li>乙</li></ol><p>其间</p><ol start="2"><li>丙</li></ol>',
  },
  {
    source: 'Word：中文编号，以及列表画不出的条号',
    html: `${WORD_HEAD}<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>一、</span><![endif]>总则</p><p class=MsoNormal style='mso-list:l2 level1 lfo3'><![if !supportLists]><span>第二条<span>&nbsp;</span></span><![endif]>价格</p>${WORD_TAIL}`,
    kept: '<ol style="list-style-type: cjk-ideographic;"><li>总则</li></ol><p>第二条 价格</p>',
    lost: ['自动编号（「第二条」已成为文字）'],
  },
  {
    source: 'Word：字体、缩进、段距与没有的字体',
    html: `${WORD_HEAD}<p class=MsoNormal style='margin-top:7.8pt;margin-right:0cm;margin-bottom:.0001pt;margin-left:42.0pt;text-indent:-21.0pt'><span style='font-size:14.0pt;font-family:黑体'>黑体字</span><span lang=EN-US style='font-family:"Times New Roman",serif'>LATIN</span><span style='font-family:华文行楷'>行楷</span></p>${WORD_TAIL}`,
    kept: '<p style="margin-top: 10px; margin-left: 56px; text-indent: -21pt;"><span style="font-size: 14pt; font-family: SimHei;">黑体字</span><span style="font-family: &quot;Times New Roman&quot;;">LATIN</span>行楷</p>',
    lost: ['字体「华文行楷」'],
  },
  {
    source: 'Word：批注、文本框与公式',
    html: `${WORD_HEAD}<p class=MsoNormal>条款<span style='mso-comment-continuation:1'><a style='mso-comment-reference:W_1'>[W1]</a></span><!--[if gte vml 1]><v:shape id="t"><v:textbox><div>框内</div></v:textbox></v:shape><![endif]--><!--[if gte msEquation 12]><m:oMath><m:r>x</m:r></m:oMath><![endif]--><![if !msEquation]><img width=20 height=16 src="https://example.com/eq.png"><![endif]></p>${WORD_TAIL}`,
    kept: '<p>条款<img src="https://example.com/eq.png" width="20" height="16"></p>',
    lost: ['批注', '公式（留下其图片）', '文本框'],
  },
  {
    source: 'Word：本机图片带着大小，表格带着列宽，单元格内的列表',
    html: `${WORD_HEAD}<p class=MsoNormal><img width=320 height=120 src="file:///C:/Users/a/AppData/clip_image001.png"></p><table width=600 style='width:450.0pt'><tr><td width=200 style='width:150.0pt'><h3>要求</h3><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>1.</span><![endif]>唛头</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>2.</span><![endif]>托盘</p></td><td width=400>备注</td></tr></table>${WORD_TAIL}`,
    kept: '<p><img data-word-image="clip_image001.png" alt="未转存：clip_image001.png" width="320" height="120"></p><table border="1"><colgroup><col width="200"><col width="400"></colgroup><tbody><tr><td><strong>要求</strong><br>1. 唛头<br>2. 托盘</td><td>备注</td></tr></tbody></table>',
  },
  {
    source: 'Excel：单元格内换行与字体',
    html: `${EXCEL_HEAD.replace('--></style>', '.xl70 {font-size:14.0pt; font-family:黑体, monospace; white-space:normal;}--></style>')}<table><!--StartFragment--><tr><td rowspan=2 class=xl70 width=96 style='width:72pt'>第一行<br style='mso-data-placement:same-cell;'>第二行</td><td width=64 style='width:48pt'>1</td></tr><tr><td>2</td></tr><!--EndFragment--></table></body></html>`,
    kept: '<table border="1"><colgroup><col width="96"><col width="64"></colgroup><tbody><tr><td rowspan="2"><span style="font-size: 14pt; font-family: SimHei;">第一行<br>第二行</span></td><td>1</td></tr><tr><td>2</td></tr></tbody></table>',
  },
  {
    source: 'WPS 文字：编号',
    html: '<html><head><meta name=Generator content="WPS Office"></head><body><!--StartFragment--><p class=MsoNormal style="margin-left:21.0000pt;text-indent:-21.0000pt;mso-list:l0 level1 lfo1;"><![if !supportLists]><span style="font-family:宋体;"><span style=\'mso-list:Ignore;\'>（三）<span>&nbsp;</span></span></span><![endif]><span style="font-family:宋体;">核销</span></p><!--EndFragment--></body></html>',
    kept: '<ol start="3" style="list-style-type: cjk-ideographic;"><li><span style="font-family: SimSun;">核销</span></li></ol>',
  },
  {
    source: 'Outlook：邮件正文与真正的列表',
    html: "<html><head><meta name=Generator content=\"Microsoft Word 15 (filtered medium)\"></head><body><div class=WordSection1><p class=MsoNormal><span lang=EN-US style='font-family:\"Arial\",sans-serif;color:#1F497D'>Dear Ms. Lin,<o:p></o:p></span></p><ol style='margin-top:0cm' start=2 type=1><li class=MsoListParagraph style='margin-left:0cm;mso-list:l0 level1 lfo1'>Booking</li></ol><p class=MsoNormal style='margin-left:36.0pt'>Best regards</p></div></body></html>",
    kept: '<p><span style="font-family: Arial; color: #1F497D;">Dear Ms. Lin,</span></p><ol start="2"><li>Booking</li></ol><p style="margin-left: 48px;">Best regards</p>',
  },
  {
    source: '网页邮箱：缩进的引用、字体标签',
    html: '<div dir="ltr">见下：<blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>船期后延三天</div></blockquote><div><font face="楷体" size="4" color="#ff0000">请确认</font></div></div>',
    kept: '<p>见下：</p><p style="margin-left: 40px;">船期后延三天</p><p><span style="color: #ff0000; font-family: KaiTi; font-size: 18px;">请确认</span></p>',
  },
  {
    source: '浏览器：编号的样式、图片的大小、框架',
    html: '<html><body><!--StartFragment--><ol start="5" style="box-sizing:border-box;list-style-type:lower-roman;font-family:Roboto"><li style="margin:0">运费</li></ol><p style="font-family:Roboto;margin:0 0 16px"><img src="https://example.com/a.png" style="width:200px;height:auto" height="90"></p><iframe src="https://ads.example/"></iframe><!--EndFragment--></body></html>',
    kept: '<ol start="5" type="i"><li>运费</li></ol><p><img src="https://example.com/a.png" width="200" height="90"></p>',
    lost: ['网页中的框架'],
  },
  {
    source: '在线文档：内层列表写在条目之外',
    html: '<ul style="list-style-type:disc"><li>甲</li><ul><li style="list-style-type:circle">乙</li></ul><li>丙</li></ul>',
    kept: '<ul><li>甲<ul style="list-style-type: circle;"><li>乙</li></ul></li><li>丙</li></ul>',
  },
  {
    source: 'Word：编号之后的项目符号，编号中间的项目符号',
    html: `${WORD_HEAD}<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>1.</span><![endif]>单证</p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span>o</span><![endif]>提单</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>2.</span><![endif]>寄单</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='font-family:Symbol'>·</span><![endif]>另行通知</p>${WORD_TAIL}`,
    kept: '<ol><li>单证<ul style="list-style-type: circle;"><li>提单</li></ul></li><li>寄单</li></ol><ul><li>另行通知</li></ul>',
  },
  {
    source: 'Word：修订、隐藏的文字与目录',
    html: `${WORD_HEAD}<p class=MsoToc1><a href="#_Toc1"><span>第一章</span></a></p><p class=MsoNormal>单价<del cite="mailto:a" datetime="2026-11-01T09:00"><span>100</span></del><ins cite="mailto:a" datetime="2026-11-01T09:00"><span>120</span></ins>元<span style='display:none;mso-hide:all'>底价 90</span></p>${WORD_TAIL}`,
    kept: '<p>第一章</p><p>单价120元</p>',
    lost: ['隐藏的文字、行或列', '修订标记（留下修改后的文字）'],
  },
  {
    source: 'Excel：隐藏的行和列',
    html: `${EXCEL_HEAD}<table><!--StartFragment--><col width=72><col width=0 style='display:none'><col width=64><tr><td>品名</td><td style='display:none'>进价</td><td>售价</td></tr><tr style='display:none'><td>甲</td><td>1</td><td>2</td></tr><!--EndFragment--></table></body></html>`,
    kept: '<table border="1"><colgroup><col width="72"><col width="64"></colgroup><tbody><tr><td>品名</td><td>售价</td></tr></tbody></table>',
    lost: ['隐藏的文字、行或列'],
  },
];

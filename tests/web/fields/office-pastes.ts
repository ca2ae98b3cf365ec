/** What office programs put on the clipboard, shortened in length but not in kind. */
export interface OfficePaste {
  readonly source: string;
  readonly html: string;
  /** The document as it is kept. */
  readonly kept: string;
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
    kept: '<p style="text-align: center;"><b><span style="font-size: 16pt;">出口合同</span></b></p><p style="text-indent: 21pt;">买卖双方同意按下列条款签订本合同。<u>FOB NINGBO</u></p>',
  },
  {
    source: 'Word：编号列表',
    html: `${WORD_HEAD}<p class=MsoListParagraph style='margin-left:21.0pt;text-indent:-21.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-US><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>付款方式<span lang=EN-US><o:p></o:p></span></p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span>a)<span>&nbsp; </span></span><![endif]>电汇</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>2.<span>&nbsp; </span></span><![endif]>交货期</p>${WORD_TAIL}`,
    kept: '<ol><li>付款方式<ol><li>电汇</li></ol></li><li>交货期</li></ol>',
  },
  {
    source: 'Word：表格',
    html: `${WORD_HEAD}<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt'><tr style='mso-yfti-irow:0;height:15.6pt'><td width=284 valign=top style='width:213.05pt;border:solid windowtext 1.0pt;padding:0cm 5.4pt 0cm 5.4pt;height:15.6pt'><p class=MsoNormal><b>品名<o:p></o:p></b></p></td><td width=284 style='width:213.05pt;border:solid windowtext 1.0pt;border-left:none;background:#D9E2F3'><p class=MsoNormal align=right style='text-align:right'>金额</p></td></tr></table><p class=MsoNormal><span lang=EN-US><o:p>&nbsp;</o:p></span></p>${WORD_TAIL}`,
    kept: '<table border="1"><tbody><tr><td style="vertical-align: top;"><b>品名</b></td><td style="background-color: #D9E2F3; text-align: right;">金额</td></tr></tbody></table><p><br></p>',
  },
  {
    source: 'Word：书签、批注与分页',
    html: `${WORD_HEAD}<h1><a name="_Toc152345678"><span style='mso-bookmark:_Toc152345678'>第一章</span></a><span lang=EN-US><o:p></o:p></span></h1><p class=MsoNormal>正文<a style='mso-comment-reference:a_1;mso-comment-date:20261101T0900'></a></p><span lang=EN-US style='font-size:10.5pt'><br clear=all style='page-break-before:always'></span><p class=MsoNormal>第二页</p>${WORD_TAIL}`,
    kept: '<h1>第一章</h1><p>正文</p><hr class="pagebreak"><p>第二页</p>',
  },
  {
    source: 'Word：颜色与删除线',
    html: `${WORD_HEAD}<p class=MsoNormal><span style='color:red;background:yellow;mso-highlight:yellow'>注意</span><s><span style='font-family:宋体'>旧价</span></s><sup>2</sup><i>斜</i></p>${WORD_TAIL}`,
    kept: '<p><span style="color: red; background-color: yellow;">注意</span><s>旧价</s><sup>2</sup><i>斜</i></p>',
  },
  {
    source: 'Word：图片',
    html: `${WORD_HEAD}<p class=MsoNormal><!--[if gte vml 1]><v:shape id="_x0000_i1025" style='width:100pt'><v:imagedata src="file:///C:/Users/a/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=133 height=100 src="https://example.com/clip_image002.jpg" v:shapes="_x0000_i1025"><![endif]></p>${WORD_TAIL}`,
    kept: '<p><img src="https://example.com/clip_image002.jpg"></p>',
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
    kept: '<p style="text-align: center;"><b><span style="font-size: 10.5pt;">通知</span></b></p><p style="text-indent: 21pt;">请按时申报。</p>',
  },
  {
    source: 'WPS 表格',
    html: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=Generator content="Microsoft Excel"><!--[if gte mso 9]><xml><x:ExcelWorkbook></x:ExcelWorkbook></xml><![endif]--><style>.et2{text-align:center;vertical-align:middle;} .et3{color:#FF0000;}</style></head><body><!--StartFragment--><table width="144.00" border="0" cellpadding="0" cellspacing="0" style='width:108.00pt;border-collapse:collapse;'><col width="72" span="2" class="et1" style="width:54.00pt;"/><tr height="18" style='height:13.50pt;'><td class="et2" x:str>提单号</td><td class="et3" x:num>8</td></tr></table><!--EndFragment--></body></html>`,
    kept: '<table border="1"><colgroup><col width="72" span="2"></colgroup><tbody><tr><td style="text-align: center; vertical-align: middle;">提单号</td><td style="color: #FF0000;">8</td></tr></tbody></table>',
  },
  {
    source: 'WPS：项目符号',
    html: '<!--StartFragment--><p class=MsoNormal style="margin-left:21.0000pt;text-indent:-21.0000pt;mso-list:l0 level1 lfo1;"><![if !supportLists]><span style="font-family:Wingdings;"><span style=\'mso-list:Ignore;\'>l<span>&nbsp;</span></span></span><![endif]><span style="font-family:宋体;">核对报关单</span></p><p class=MsoNormal style="mso-list:l0 level1 lfo1;"><![if !supportLists]><span>l</span><![endif]>核对发票</p><!--EndFragment-->',
    kept: '<ul><li>核对报关单</li><li>核对发票</li></ul>',
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
  },
  {
    source: '邮件：引用与换行',
    html: '<div dir="ltr">张经理：<div><br></div><div>附件请查收。<br>谢谢</div><blockquote type="cite"><div>原邮件</div></blockquote></div>',
    kept: '<p>张经理：</p><p><br></p><p>附件请查收。<br>谢谢</p><blockquote>原邮件</blockquote>',
  },
];

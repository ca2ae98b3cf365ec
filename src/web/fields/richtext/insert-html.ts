/** What the insert dialogs put into the document. Built as elements, so that no text can become markup. */
export const PAGE_BREAK = '<hr class="pagebreak">';

export function anchorHtml(name: string): string {
  return html('a', { name, id: name });
}

/** Width and height in pixels, each only where it was given. */
export type PictureSize = Readonly<Record<string, string>>;

export function imageHtml(address: string, alt: string, size: PictureSize = {}): string {
  return html('img', { src: address, alt, ...size });
}

export function attachmentHtml(address: string, name: string): string {
  return html('a', { href: address, download: name, class: 'attachment' }, name);
}

/** Special characters as Chinese offices group them. */
export const SPECIAL_CHARACTERS = [
  {
    title: '常用',
    characters: '、。·ˉˇ¨〃々—～‖…‘’“”〔〕〈〉《》「」『』〖〗【】±×÷∶√°′″℃℉№§※→←↑↓☆★○●◎◇◆□■△▲',
  },
  { title: '数学', characters: '≈≡≠＝≤≥＜＞≮≯∷±＋－×÷／∫∮∝∞∧∨∑∏∪∩∈∵∴⊥∥∠⌒⊙≌∽' },
  { title: '序号', characters: '①②③④⑤⑥⑦⑧⑨⑩⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ㈠㈡㈢㈣㈤㈥㈦㈧㈨㈩' },
  { title: '货币', characters: '¥￥$€£￠￡₩₽฿₫₹' },
  { title: '希腊', characters: 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψω' },
] as const;

function html(tag: string, attributes: Readonly<Record<string, string>>, text = ''): string {
  const element = document.createElement('template').content.ownerDocument.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element.outerHTML;
}

import { isAllowedFrame } from '#engine/fields/richtext-policy.ts';
import { EDITOR_DEFAULTS } from './editor-options.ts';

/** What the insert dialogs put into the document. Built as elements, so that no text can become markup. */
export const PAGE_BREAK = '<hr class="pagebreak">';

export function anchorHtml(name: string): string {
  return html('a', { name, id: name });
}

export function imageHtml(address: string, alt: string): string {
  return html('img', { src: address, alt });
}

export function attachmentHtml(address: string, name: string): string {
  return html('a', { href: address, download: name, class: 'attachment' }, name);
}

export function musicHtml(address: string): string {
  return html('audio', { src: address, controls: '' });
}

/** A frame of an allowed video site, or the file itself. */
export function videoHtml(address: string): string {
  const width = String(EDITOR_DEFAULTS.videoWidth);
  const height = String(EDITOR_DEFAULTS.videoHeight);
  return isAllowedFrame(address)
    ? html('iframe', { src: address, width, height, frameborder: '0' })
    : html('video', { src: address, width, height, controls: '' });
}

export function frameHtml(address: string): string {
  return html('iframe', { src: address, width: '600', height: '400', frameborder: '0' });
}

export function baiduMapAddress(place: string): string {
  return `https://map.baidu.com/search/${encodeURIComponent(place)}`;
}

export function amapAddress(place: string): string {
  return `https://uri.amap.com/search?keyword=${encodeURIComponent(place)}`;
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

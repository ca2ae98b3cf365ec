/** The editor's options and their defaults (spec 3 and 9). Lengths in pixels. */
export const EDITOR_DEFAULTS = {
  maximumWords: 10_000,
  wordCountMsg: '当前已输入{count}个字，还可以输入{leave}个字',
  wordOverFlowMsg: '字数超出最大允许值，已超出{over}个字',
  initialFrameHeight: 220,
  elementPathEnabled: true,
  videoWidth: 420,
  videoHeight: 280,
  submenuShowDelayMs: 250,
  submenuHideDelayMs: 400,
  rowspacing: [5, 10, 15, 20, 25],
  fontsize: [10, 11, 12, 14, 16, 18, 20, 24, 36],
  lineheight: ['1', '1.5', '1.75', '2', '3', '4', '5'],
} as const;

/** The line under the editor: what is there and what remains, or by how much the maximum is passed. */
export function wordCountText(count: number, maximum: number): string {
  const text = count > maximum ? EDITOR_DEFAULTS.wordOverFlowMsg : EDITOR_DEFAULTS.wordCountMsg;
  return text
    .replace('{count}', String(count))
    .replace('{leave}', String(maximum - count))
    .replace('{over}', String(count - maximum));
}

/** The options in the core's words. It also drops what these lists lack while it reads a document. */
export const EDITOR_MENUS = {
  fontSize: { fontSizeList: EDITOR_DEFAULTS.fontsize.map((size) => `${size}px`) },
  lineHeight: { lineHeightList: [...EDITOR_DEFAULTS.lineheight] },
};

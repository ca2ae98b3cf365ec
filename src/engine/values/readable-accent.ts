const LEAST_CONTRAST = 4.5;
/** Text stands on tinted grounds too, which take some of its contrast. */
const TEXT_CONTRAST = 5.6;
const STEP = 0.06;

/** The accent, darkened until white text on it has the contrast of WCAG AA (4.5). A text that is no `#rrggbb` stays as it is. */
export function readableAccent(accent: string): string {
  return darkened(accent, LEAST_CONTRAST);
}

/** A step darker: text in the accent can be read on white and on its own light tints. */
export function textAccent(accent: string): string {
  return darkened(accent, TEXT_CONTRAST);
}

function darkened(accent: string, least: number): string {
  const rgb = parseHex(accent);
  if (rgb === null) return accent;
  let [red, green, blue] = rgb;
  while (whiteContrast(red, green, blue) < least)
    [red, green, blue] = [red * (1 - STEP), green * (1 - STEP), blue * (1 - STEP)];
  return hexOf([red, green, blue]);
}

/** The accent half way to white: text in it can be read on a dark ground. A text that is no `#rrggbb` stays as it is. */
export function lightAccent(accent: string): string {
  const rgb = parseHex(accent);
  return rgb === null ? accent : hexOf(rgb.map((value) => (value + 255) / 2));
}

function hexOf(rgb: readonly number[]): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function parseHex(text: string): readonly [number, number, number] | null {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (found === null) return null;
  const [, red = '', green = '', blue = ''] = found;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** The contrast ratio of white on a colour (WCAG 2.1, relative luminance). */
function whiteContrast(red: number, green: number, blue: number): number {
  return 1.05 / (0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05);
}

function linear(value: number): number {
  const part = Math.round(value) / 255;
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

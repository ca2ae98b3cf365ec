/** Initials of Chinese by the reading order of the Unicode collation: no dictionary has to be loaded for a picker. */
import { foldText } from './search-text.ts';

/**
 * Whether a text is found by what was typed: by a part of it, or by the initials of neighbouring characters, letters
 * and digits standing for themselves.
 * @example matchesTyped('宁波', 'nb') && matchesTyped('外销合同', 'wxht') && matchesTyped('重庆', 'cq')
 */
export function matchesTyped(text: string, typed: string): boolean {
  const wanted = foldText(typed);
  if (wanted === '') return true;
  const folded = foldText(text);
  if (folded.includes(wanted)) return true;
  const letters = wanted.replace(/\s/g, '');
  if (!/^[a-z0-9]+$/.test(letters)) return false;
  const sounds = soundsOf(folded);
  return sounds.some((_, start) => isSpelled(sounds, start, letters));
}

/**
 * How well a text fits: 0 it is what was typed, 1 it begins so, 2 its initials begin so, 3 it holds it, 4 by initials
 * within alone; null: not at all.
 */
export function typedRank(text: string, typed: string): number | null {
  const [folded, wanted] = [foldText(text), foldText(typed)];
  if (folded === wanted) return 0;
  if (folded.startsWith(wanted)) return 1;
  if (!matchesTyped(text, typed)) return null;
  if (isSpelled(soundsOf(folded), 0, wanted.replace(/\s/g, ''))) return 2;
  return folded.includes(wanted) ? 3 : 4;
}

function soundsOf(folded: string): readonly string[] {
  return [...folded].filter((char) => /[a-z0-9\u3400-\u9fff]/.test(char)).map(initialsOf);
}

function isSpelled(sounds: readonly string[], start: number, letters: string): boolean {
  if (start + letters.length > sounds.length) return false;
  return [...letters].every((letter, place) => sounds[start + place]?.includes(letter) === true);
}

/** The letters that a character may be typed by: one, more where it is read in several ways, itself when not Chinese. */
function initialsOf(char: string): string {
  const known = remembered.get(char) ?? SEVERAL_READINGS[char];
  if (known !== undefined) return known;
  const found = /[\u3400-\u9fff]/.test(char) ? byOrder(char) : char;
  remembered.set(char, found);
  return found;
}

function byOrder(char: string): string {
  let letter = '';
  for (let place = 0; place < FIRST_CHARS.length; place += 1) {
    if (collator.compare(char, FIRST_CHARS[place] ?? '') < 0) break;
    letter = LETTERS[place] ?? '';
  }
  return letter;
}

const collator = new Intl.Collator('zh-Hans-CN-u-co-pinyin');
const LETTERS = 'abcdefghjklmnopqrstwxyz';
/** The first character of each letter in the pinyin order (CLDR, collation `pinyin` of `zh`). */
const FIRST_CHARS = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨它穵夕丫帀'];
const remembered = new Map<string, string>();

/** Characters of names of goods, places and documents that are read in more than one way. */
const SEVERAL_READINGS: Readonly<Record<string, string>> = {
  重: 'zc',
  厦: 'xs',
  行: 'xh',
  长: 'cz',
  单: 'ds',
  调: 'dt',
  会: 'hk',
  给: 'gj',
  乐: 'ly',
  系: 'xj',
  降: 'jx',
  参: 'cs',
  差: 'cs',
  藏: 'cz',
  曾: 'zc',
  仇: 'cq',
  区: 'qo',
  朴: 'pb',
  解: 'jx',
  还: 'hx',
  传: 'cz',
  弹: 'td',
  盛: 'sc',
  石: 'sd',
  蔚: 'wy',
  埔: 'pb',
  率: 'ls',
  校: 'xj',
  折: 'zs',
  奇: 'qj',
  提: 'td',
  其: 'qj',
};

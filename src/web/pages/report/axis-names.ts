/** Wide characters that stand side by side under a drawing of a desk's width. */
const AXIS_CHARACTERS = 84;
/** Digits and Latin letters take a good half of a Chinese character. */
const NARROW_SHARE = 0.6;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}-\d{2}$/;

/**
 * How the points of an axis are written under it: days without what all of them share, many months without their century, other names cut where they would
 * take the place of what is drawn, or of the names beside them.
 * @example axisNames(['2026-11-16', '2026-11-23'])('2026-11-23') // 11-23
 */
export function axisNames(names: readonly string[]): (name: string) => string {
  if (names.length > 0 && names.every((name) => DAY.test(name))) {
    const isOneYear = new Set(names.map((name) => name.slice(0, 4))).size === 1;
    return (name) => name.slice(isOneYear ? 5 : 2);
  }
  // A year of months has room as it is.
  if (names.length > 12 && names.every((name) => MONTH.test(name))) return (name) => name.slice(2);
  const room = Math.min(12, Math.max(4, Math.floor(AXIS_CHARACTERS / Math.max(1, names.length))));
  return (name) => clipped(name, room);
}

/** The beginning that has room, in wide characters. */
function clipped(name: string, room: number): string {
  let width = 0;
  const letters = [...name];
  const ends = letters.map((letter) => (width += letter < '\u0250' ? NARROW_SHARE : 1));
  if (width <= room) return name;
  return `${letters.slice(0, ends.filter((end) => end <= room - 1).length).join('')}…`;
}

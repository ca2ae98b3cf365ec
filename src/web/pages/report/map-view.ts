/** Where a name stands on the map, in degrees east of the left edge and south of the upper one. */
export interface Spot {
  readonly key: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** As drawn on the map of the whole world. */
  readonly radius: number;
}

/** The part of the world that is shown; `scale` is its width beside that of the world. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export interface Label {
  readonly key: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

const MARGIN = 1.6;
/** Below this share of the world, the shores are too coarse to tell a place. */
const CLOSEST = 0.25;
const FONT = 3.6;

/** The smallest part of the world, of its proportions, with room around all spots: the ports of one coast do not lie on one another. */
export function fitView(
  spots: readonly Pick<Spot, 'x' | 'y'>[],
  world: { readonly width: number; readonly height: number },
): View {
  const [left, right] = rangeOf(spots.map(({ x }) => x));
  const [top, bottom] = rangeOf(spots.map(({ y }) => y));
  const wanted = MARGIN * Math.max((right - left) / world.width, (bottom - top) / world.height);
  const scale = Math.min(1, Math.max(CLOSEST, wanted));
  const [width, height] = [world.width * scale, world.height * scale];
  return {
    x: within((left + right - width) / 2, world.width - width),
    y: within((top + bottom - height) / 2, world.height - height),
    width,
    height,
    scale,
  };
}

/** The names that have room, of the first spots first; the others are told when one points at them. */
export function namedOf(spots: readonly Spot[], { scale }: Pick<View, 'scale'>): readonly Label[] {
  const size = FONT * scale;
  const named: (Label & { readonly width: number })[] = [];
  for (const { key, name, x, y, radius } of spots) {
    const label = { key, name, x: x + (radius + 0.8) * scale, y: y + size * 0.36, size };
    const width = widthOf(name) * size;
    const isFree = named.every(
      (other) =>
        Math.abs(other.y - label.y) >= size * 1.1 ||
        other.x + other.width <= label.x ||
        label.x + width <= other.x,
    );
    if (isFree) named.push({ ...label, width });
  }
  return named.map(({ key, name, x, y }) => ({ key, name, x, y, size }));
}

/** In heights of the font: Latin letters take about half of what a Chinese one takes. */
function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) < 0x2e80 ? 0.56 : 1), 0);
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

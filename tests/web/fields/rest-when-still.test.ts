import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { restWhenStill } from '#web/fields/charts/rest-when-still.ts';

/** A canvas that draws sixty times a second, as the library's does, and hears what moves it. */
function startCanvas() {
  const frames = new Map<number, NodeJS.Timeout>();
  let lastFrame = 0;
  const heard = new Map<string, () => void>();
  const canvas = {
    requestAnimationFrame: (callback: FrameRequestCallback): number => {
      lastFrame += 1;
      frames.set(
        lastFrame,
        setTimeout(() => callback(performance.now()), 16),
      );
      return lastFrame;
    },
    cancelAnimationFrame: (id: number): void => clearTimeout(frames.get(id)),
    addEventListener: (type: string, hear: () => void): void => {
      heard.set(type, hear);
    },
  };
  const element = new EventTarget();
  let render: () => void = () => undefined;
  restWhenStill(canvas, {
    element,
    onRender: (hear) => {
      render = hear;
    },
  });
  let looks = 0;
  let frame = 0;
  const look = (): void => {
    looks += 1;
    frame = canvas.requestAnimationFrame(look);
  };
  look();
  return {
    element,
    /** How often it looks in so many milliseconds. */
    looksIn: (ms: number): number => {
      const before = looks;
      vi.advanceTimersByTime(ms);
      return looks - before;
    },
    draw: () => heard.get('rerender')?.(),
    render: () => render(),
    end: () => canvas.cancelAnimationFrame(frame),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('looks at every frame while something moves, and twice a second when nothing did for a second', () => {
  const canvas = startCanvas();
  expect(canvas.looksIn(960)).toBeGreaterThan(50);
  canvas.looksIn(1_000);
  expect(canvas.looksIn(10_000)).toBeLessThan(25);
});

it.each(['pointer', 'data'] as const)('is awake in the next frame when the %s moves it', (mover) => {
  const canvas = startCanvas();
  canvas.looksIn(5_000);
  if (mover === 'pointer') canvas.element.dispatchEvent(new Event('pointermove'));
  else canvas.render();
  expect(canvas.looksIn(160)).toBeGreaterThan(8);
});

it('stays awake as long as it draws', () => {
  const canvas = startCanvas();
  for (let second = 0; second < 5; second += 1) {
    expect(canvas.looksIn(960)).toBeGreaterThan(50);
    canvas.draw();
  }
});

it.each([0, 5_000])('does not look any more once it is ended, %i ms after its start', (ms) => {
  const canvas = startCanvas();
  canvas.looksIn(ms);
  canvas.end();
  expect(canvas.looksIn(5_000)).toBe(0);
});

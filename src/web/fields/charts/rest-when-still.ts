/** What of a chart's canvas says when the next picture is drawn. */
interface DrawnCanvas {
  requestAnimationFrame: (draw: FrameRequestCallback) => number;
  cancelAnimationFrame: (id: number) => void;
  readonly addEventListener: (type: 'rerender', hear: () => void) => void;
}

/** What a picture may change by. */
interface Changing {
  /** Where the pointer moves over the chart. */
  readonly element: Pick<EventTarget, 'addEventListener'>;
  /** Told before the chart is drawn anew from its data. */
  readonly onRender: (hear: () => void) => void;
}

/** A picture that was the same for so long is still. */
const STILL_AFTER_MS = 1_000;
const REST_MS = 500;
const MOVES = ['pointerenter', 'pointermove', 'pointerdown', 'wheel'] as const;

/**
 * The library looks sixty times a second whether there is something to draw, as long as a chart is there, also in pages
 * behind others: a quarter of a slow processor. Here it looks twice a second while nothing moves, and at once when the
 * pointer comes or the data change.
 */
export function restWhenStill(canvas: DrawnCanvas, { element, onRender }: Changing): void {
  const draw = canvas.requestAnimationFrame.bind(canvas);
  const cancel = canvas.cancelAnimationFrame.bind(canvas);
  const waiting = new Map<number, { readonly go: () => void; stop: () => void }>();
  let movedAt = performance.now();
  let lastId = 0;
  const stir = (): void => {
    movedAt = performance.now();
    for (const { go } of waiting.values()) go();
  };
  canvas.requestAnimationFrame = (callback) => {
    lastId += 1;
    const id = lastId;
    const paint = (time: number): void => {
      waiting.delete(id);
      callback(time);
    };
    let isResting = performance.now() - movedAt > STILL_AFTER_MS;
    const go = (): void => {
      if (!isResting) return;
      isResting = false;
      clearTimeout(timer);
      const frame = draw(paint);
      entry.stop = () => cancel(frame);
    };
    const timer = isResting ? setTimeout(go, REST_MS) : undefined;
    const frame = isResting ? undefined : draw(paint);
    const entry = {
      go,
      stop: () => {
        clearTimeout(timer);
        if (frame !== undefined) cancel(frame);
      },
    };
    waiting.set(id, entry);
    return id;
  };
  canvas.cancelAnimationFrame = (id) => {
    waiting.get(id)?.stop();
    waiting.delete(id);
  };
  // What was drawn may go on moving.
  canvas.addEventListener('rerender', () => {
    movedAt = performance.now();
  });
  onRender(stir);
  for (const move of MOVES) element.addEventListener(move, stir, { passive: true });
}

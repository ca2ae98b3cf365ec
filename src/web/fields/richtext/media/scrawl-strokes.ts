/** What a hand drew: points in the units of the paper. */
export interface Stroke {
  readonly color: string;
  readonly width: number;
  readonly isEraser: boolean;
  readonly points: readonly (readonly [number, number])[];
}

export const PAPER = { width: 800, height: 450 } as const;

/** Draws the strokes on an empty layer: the eraser takes away what was drawn, never the picture behind. */
export function drawStrokes(context: CanvasRenderingContext2D, strokes: readonly Stroke[]): void {
  context.clearRect(0, 0, PAPER.width, PAPER.height);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const { color, width, isEraser, points } of strokes) {
    const [first, ...others] = points;
    if (first === undefined) continue;
    context.globalCompositeOperation = isEraser ? 'destination-out' : 'source-over';
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(first[0], first[1]);
    // A dot is a line of no length.
    if (others.length === 0) context.lineTo(first[0], first[1]);
    for (const [x, y] of others) context.lineTo(x, y);
    context.stroke();
  }
  context.globalCompositeOperation = 'source-over';
}

/** Draws a picture as large as the paper takes it, in the middle. */
export function drawPicture(context: CanvasRenderingContext2D, picture: ImageBitmap | null): void {
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, PAPER.width, PAPER.height);
  if (picture === null) return;
  const scale = Math.min(PAPER.width / picture.width, PAPER.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  context.drawImage(picture, (PAPER.width - width) / 2, (PAPER.height - height) / 2, width, height);
}

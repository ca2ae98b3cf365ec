import type { PrintData, PrintMark } from '#contract/prints.ts';

const ANCHORS = { left: 'start', center: 'middle', right: 'end' } as const;
const POINTS_PER_MM = 72 / 25.4;

/** How wide a page of so many points is on the screen at most; what stands above it ends where it does. */
export function sheetWidth(points: number): string {
  return `${points / POINTS_PER_MM}mm`;
}

/** One page, drawn as the PDF is; its text can be selected. */
export function PrintSheet({
  marks,
  pictures,
  width,
  height,
  label,
}: {
  readonly marks: readonly PrintMark[];
  readonly pictures: PrintData['pictures'];
  /** In points. */
  readonly width: number;
  readonly height: number;
  readonly label: string;
}) {
  return (
    <svg
      className="print-sheet"
      viewBox={`0 0 ${width} ${height}`}
      style={{ maxWidth: sheetWidth(width) }}
      role="img"
      aria-label={label}
    >
      {marks.map((mark, place) =>
        mark.kind === 'picture' ? (
          <image
            key={place}
            x={mark.x}
            y={mark.y}
            width={mark.width}
            height={mark.height}
            href={`data:image/png;base64,${pictures.find(({ name }) => name === mark.picture)?.png ?? ''}`}
          />
        ) : mark.kind === 'line' ? (
          <line key={place} x1={mark.x1} y1={mark.y1} x2={mark.x2} y2={mark.y2} strokeWidth={mark.weight} />
        ) : (
          <text
            key={place}
            x={mark.x}
            y={mark.y}
            fontSize={mark.size}
            textAnchor={ANCHORS[mark.align]}
            className={mark.isBold ? 'bold' : mark.isSoft ? 'soft' : undefined}
          >
            {mark.text}
          </text>
        ),
      )}
    </svg>
  );
}

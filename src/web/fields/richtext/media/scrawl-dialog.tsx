import { Button, ColorPicker, Radio, Space } from 'antd';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { imageHtml } from '../insert-html.ts';
import { canvasFile, pictureOf } from './canvas-file.ts';
import { IMAGE_ACCEPT, imageFault } from './file-rules.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { drawPicture, drawStrokes, PAPER, type Stroke } from './scrawl-strokes.ts';

const WIDTHS = [2, 4, 8, 16] as const;
const COLORS = ['#000000', '#cf1322', '#1677ff', '#389e0d', '#fa8c16'];

/** Sharp on every screen: the paper is drawn with twice its points. */
const SCALE = 2;

/** A drawing by hand, on white or on a picture, that is uploaded as PNG. */
export function ScrawlDialog({ editor, upload, onInsertInline, onClose }: MediaDialogProps) {
  const back = useRef<HTMLCanvasElement>(null);
  const front = useRef<HTMLCanvasElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [undone, setUndone] = useState<readonly Stroke[]>([]);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [pen, setPen] = useState({ color: COLORS[0] ?? '#000000', width: 4, isEraser: false });
  const drawing = useRef<Stroke | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const context = contextOf(back.current);
    if (context !== null) drawPicture(context, picture);
  }, [picture]);
  useEffect(() => {
    const context = contextOf(front.current);
    if (context !== null) drawStrokes(context, strokes);
  }, [strokes]);
  const begin = (event: PointerEvent<HTMLCanvasElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drawing.current = { ...pen, points: [pointOf(event)] };
    setUndone([]);
  };
  const go = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (drawing.current === null) return;
    drawing.current = { ...drawing.current, points: [...drawing.current.points, pointOf(event)] };
    const context = contextOf(front.current);
    if (context !== null) drawStrokes(context, [...strokes, drawing.current]);
  };
  const end = (): void => {
    if (drawing.current !== null) setStrokes([...strokes, drawing.current]);
    drawing.current = null;
  };
  const undo = (): void => {
    const last = strokes.at(-1);
    if (last === undefined) return;
    setStrokes(strokes.slice(0, -1));
    setUndone([...undone, last]);
  };
  const redo = (): void => {
    const last = undone.at(-1);
    if (last === undefined) return;
    setStrokes([...strokes, last]);
    setUndone(undone.slice(0, -1));
  };
  const setBack = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const fault = imageFault(file);
    setProblem(fault);
    if (fault !== null) return;
    try {
      setPicture(await pictureOf(file));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const insert = async (): Promise<void> => {
    const paper = document.createElement('canvas');
    paper.width = PAPER.width * SCALE;
    paper.height = PAPER.height * SCALE;
    const context = paper.getContext('2d');
    if (context === null || back.current === null || front.current === null) return;
    context.drawImage(back.current, 0, 0);
    context.drawImage(front.current, 0, 0);
    setBusy(true);
    setProblem(null);
    try {
      const { address } = await upload(await canvasFile(paper, '涂鸦.png'));
      onInsertInline(imageHtml(address, '涂鸦'));
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  const isEmpty = strokes.length === 0 && picture === null;
  return (
    <MediaModal
      editor={editor}
      title="涂鸦"
      width={860}
      isOkDisabled={isEmpty}
      isBusy={isBusy}
      note={
        problem === null ? (
          ''
        ) : (
          <span role="alert" className="media-problem">
            {problem}
          </span>
        )
      }
      onOk={() => void insert()}
      onClose={onClose}
      onPasteFiles={([file]) => void setBack(file)}
    >
      <Space wrap className="scrawl-tools">
        <Radio.Group
          size="small"
          optionType="button"
          value={pen.isEraser}
          onChange={(event) => setPen({ ...pen, isEraser: event.target.value === true })}
          options={[
            { value: false, label: '画笔' },
            { value: true, label: '橡皮' },
          ]}
        />
        <Radio.Group
          size="small"
          optionType="button"
          value={pen.width}
          onChange={(event) => setPen({ ...pen, width: Number(event.target.value) })}
          options={WIDTHS.map((width) => ({ value: width, label: `${width}px` }))}
        />
        {COLORS.map((color) => (
          <button
            key={color}
            type="button"
            aria-label={`颜色${color}`}
            aria-pressed={pen.color === color}
            className="scrawl-color"
            style={{ background: color }}
            onClick={() => setPen({ ...pen, color, isEraser: false })}
          />
        ))}
        <ColorPicker
          size="small"
          disabledAlpha
          value={pen.color}
          onChangeComplete={(color) => setPen({ ...pen, color: color.toHexString(), isEraser: false })}
        />
        <Button size="small" disabled={strokes.length === 0} onClick={undo}>
          撤销
        </Button>
        <Button size="small" disabled={undone.length === 0} onClick={redo}>
          重做
        </Button>
        <Button
          size="small"
          disabled={strokes.length === 0}
          onClick={() => {
            setUndone([...strokes].toReversed());
            setStrokes([]);
          }}
        >
          清空画面
        </Button>
        <Button size="small" onClick={() => chooser.current?.click()}>
          {picture === null ? '背景图片' : '换背景'}
        </Button>
        {picture !== null && (
          <Button size="small" type="link" onClick={() => setPicture(null)}>
            去掉背景
          </Button>
        )}
      </Space>
      <div className="scrawl-paper" style={{ aspectRatio: `${PAPER.width} / ${PAPER.height}` }}>
        <canvas ref={back} width={PAPER.width * SCALE} height={PAPER.height * SCALE} />
        <canvas
          ref={front}
          width={PAPER.width * SCALE}
          height={PAPER.height * SCALE}
          role="img"
          aria-label="画板"
          onPointerDown={begin}
          onPointerMove={go}
          onPointerUp={end}
          onPointerCancel={end}
        />
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="选择背景图片"
        accept={IMAGE_ACCEPT}
        onChange={({ currentTarget }) => {
          void setBack(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </MediaModal>
  );
}

function contextOf(canvas: HTMLCanvasElement | null): CanvasRenderingContext2D | null {
  const context = canvas?.getContext('2d') ?? null;
  context?.setTransform(SCALE, 0, 0, SCALE, 0, 0);
  return context;
}

/** Where on the paper the pen is. */
function pointOf(event: PointerEvent<HTMLCanvasElement>): readonly [number, number] {
  const box = event.currentTarget.getBoundingClientRect();
  return [
    ((event.clientX - box.left) / box.width) * PAPER.width,
    ((event.clientY - box.top) / box.height) * PAPER.height,
  ];
}

function messageOf(error: unknown): string {
  return error instanceof Error && /[一-鿿]/.test(error.message) ? error.message : '图片没有上传，请重试';
}

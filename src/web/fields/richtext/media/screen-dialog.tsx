import { Button } from 'antd';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { imageHtml } from '../insert-html.ts';
import { canvasFile } from './canvas-file.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { type Crop, cropBetween, cropped, takeScreen } from './screen-frame.ts';

/** A picture of the screen, cropped with the mouse, that is uploaded as PNG. */
export function ScreenDialog({ editor, upload, onInsertInline, onClose }: MediaDialogProps) {
  const [shot, setShot] = useState<HTMLCanvasElement | null>(null);
  const [crop, setCrop] = useState<Crop | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isTaking, setTaking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const take = async (): Promise<void> => {
    setProblem(null);
    setTaking(true);
    // The dialog is out of sight before the picture is taken.
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    try {
      setShot(await takeScreen());
      setCrop(null);
    } catch (error) {
      setProblem(error instanceof TypeError ? error.message : '没有截到屏幕，请重试');
    }
    setTaking(false);
  };
  const insert = async (): Promise<void> => {
    if (shot === null) return;
    setBusy(true);
    setProblem(null);
    try {
      const { address } = await upload(await canvasFile(cropped(shot, crop), '截屏.png'));
      onInsertInline(imageHtml(address, '截屏'));
      onClose();
    } catch (error) {
      const isTold = error instanceof Error && /[一-鿿]/.test(error.message);
      setProblem(isTold ? error.message : '图片没有上传，请重试');
    }
    setBusy(false);
  };
  return (
    <MediaModal
      editor={editor}
      title="截屏"
      width={900}
      isOkDisabled={shot === null}
      isBusy={isBusy}
      isHidden={isTaking}
      note={shot === null ? '' : '拖动鼠标选出要留下的部分，不选则插入整个画面'}
      onOk={() => void insert()}
      onClose={onClose}
    >
      <p>
        <Button autoFocus type={shot === null ? 'primary' : 'default'} onClick={() => void take()}>
          {shot === null ? '选择屏幕或窗口' : '重新截取'}
        </Button>
      </p>
      <div role="alert" className="media-problem">
        {problem}
      </div>
      {shot !== null && <Cropper shot={shot} crop={crop} onCrop={setCrop} />}
    </MediaModal>
  );
}

interface CropperProps {
  readonly shot: HTMLCanvasElement;
  readonly crop: Crop | null;
  readonly onCrop: (crop: Crop | null) => void;
}

function Cropper({ shot, crop, onCrop }: CropperProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const from = useRef<readonly [number, number] | null>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    context.drawImage(shot, 0, 0);
    if (crop === null) return;
    context.fillStyle = 'rgb(0 0 0 / 50%)';
    context.fillRect(0, 0, shot.width, shot.height);
    context.drawImage(shot, crop.x, crop.y, crop.width, crop.height, crop.x, crop.y, crop.width, crop.height);
  }, [shot, crop]);
  const pointOf = (event: PointerEvent<HTMLCanvasElement>): readonly [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * shot.width;
    const y = ((event.clientY - box.top) / box.height) * shot.height;
    return [Math.min(Math.max(x, 0), shot.width), Math.min(Math.max(y, 0), shot.height)];
  };
  return (
    <canvas
      ref={canvas}
      className="screen-shot"
      role="img"
      aria-label="截到的画面"
      width={shot.width}
      height={shot.height}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = pointOf(event);
        onCrop(null);
      }}
      onPointerMove={(event) => {
        if (from.current !== null) onCrop(cropBetween(from.current, pointOf(event)));
      }}
      onPointerUp={() => {
        from.current = null;
      }}
    />
  );
}

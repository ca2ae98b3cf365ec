import { useState } from 'react';
import type { EditorOptions } from './editor-options.ts';

export interface FrameSize {
  readonly size: { readonly width: number | null; readonly height: number };
  /** The text area is as high as its content, and at least `size.height`. */
  readonly isGrowing: boolean;
  /** By so many pixels wider and higher, within the least size; from then on the height stays as it is. */
  readonly resize: (
    byX: number,
    byY: number,
    from: { readonly width: number; readonly height: number },
  ) => void;
}

/** The size of the editor: what the options say until the author drags the handle. */
export function useFrameSize(options: EditorOptions): FrameSize {
  const [size, setSize] = useState({ width: options.initialFrameWidth, height: options.initialFrameHeight });
  const [isGrowing, setGrowing] = useState(options.autoHeightEnabled);
  return {
    size,
    isGrowing,
    resize: (byX, byY, from) => {
      setGrowing(false);
      setSize({
        width: byX === 0 ? size.width : Math.max(options.minFrameWidth, Math.round(from.width + byX)),
        height: Math.max(options.minFrameHeight, Math.round(from.height + byY)),
      });
    },
  };
}

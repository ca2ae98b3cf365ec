import type { IDomEditor } from '@wangeditor/editor';

export type MediaDialogName =
  | 'image'
  | 'attachment'
  | 'video'
  | 'music'
  | 'frame'
  | 'map'
  | 'secondMap'
  | 'webApp'
  | 'scrawl'
  | 'screenCapture'
  | 'wordImage';

/** Sends a file to the product; `progress` is called with 0 to 1. */
export type Upload = (
  file: File,
  progress?: (fraction: number) => void,
  signal?: AbortSignal,
) => Promise<{ readonly address: string; readonly name: string }>;

export interface MediaDialogProps {
  readonly editor: IDomEditor;
  readonly upload: Upload;
  /** Has the server fetch a picture from the web; the address of the product's own copy. */
  readonly capture: (address: string) => Promise<string>;
  /** Puts HTML where the caret was: each top-level element becomes one piece of the line. */
  readonly onInsertInline: (html: string) => void;
  readonly onClose: () => void;
}

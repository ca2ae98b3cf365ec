import type { ComponentType } from 'react';
import { AttachmentDialog } from './attachment-dialog.tsx';
import { FrameDialog } from './frame-dialog.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { BaiduMapDialog, GaodeMapDialog } from './map-dialog.tsx';
import type { MediaDialogName, MediaDialogProps } from './media-types.ts';
import { MusicDialog, VideoDialog } from './player-dialog.tsx';
import { ScrawlDialog } from './scrawl-dialog.tsx';
import { ScreenDialog } from './screen-dialog.tsx';
import { WebAppDialog } from './web-app-dialog.tsx';
import { WordImageDialog } from './word-image-dialog.tsx';

/** The dialogs that put pictures, files, films, sounds and foreign pages into a document. */
export const MEDIA_DIALOGS: Readonly<Record<MediaDialogName, ComponentType<MediaDialogProps>>> = {
  image: ImageDialog,
  attachment: AttachmentDialog,
  video: VideoDialog,
  music: MusicDialog,
  frame: FrameDialog,
  map: BaiduMapDialog,
  secondMap: GaodeMapDialog,
  webApp: WebAppDialog,
  scrawl: ScrawlDialog,
  screenCapture: ScreenDialog,
  wordImage: WordImageDialog,
};

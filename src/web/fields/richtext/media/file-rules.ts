import { IMAGE_TYPES, sizeFault } from '#engine/fields/file-rules.ts';

/** What the dialogs take, in words. The server looks at the content again. */

/** What a chooser offers. */
export const IMAGE_ACCEPT = IMAGE_TYPES.join(',');

/** Spec: an image is at most 20 MiB. Null for a good one. */
export function imageFault(file: File): string | null {
  if (!IMAGE_TYPES.some((type) => type === file.type)) return '只能选择 JPEG、PNG、WebP、GIF 图片';
  return faultOfSize(file, '请选择20M以内的图片！');
}

/** Of any file. Null for a good one. */
export function fileFault(file: File): string | null {
  return faultOfSize(file, '请选择20M以内的文件！');
}

function faultOfSize({ size }: File, tooLarge: string): string | null {
  const fault = sizeFault(size);
  return fault === null ? null : fault === 'empty' ? '文件是空的' : tooLarge;
}

/** A size as people read it. */
export function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** What the dialogs take. The server looks at the content again. */
const MAX_BYTES = 20 * 1024 * 1024;

/** What a chooser offers. */
export const IMAGE_ACCEPT = 'image/jpeg,image/png,image/webp,image/gif';

/** Spec: an image is at most 20 MiB. Null for a good one. */
export function imageFault(file: File): string | null {
  if (!IMAGE_ACCEPT.split(',').includes(file.type)) return '只能选择 JPEG、PNG、WebP、GIF 图片';
  return sizeFault(file, '请选择20M以内的图片！');
}

/** Of any file. Null for a good one. */
export function fileFault(file: File): string | null {
  return sizeFault(file, '请选择20M以内的文件！');
}

function sizeFault({ size }: File, tooLarge: string): string | null {
  if (size === 0) return '文件是空的';
  return size > MAX_BYTES ? tooLarge : null;
}

/** A size as people read it. */
export function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

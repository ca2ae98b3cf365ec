const MAX_BYTES = 20 * 1024 * 1024;
const TOO_LARGE = '请选择20M以内的图片！';
/** What the server takes as it is. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** The file in a format that the server takes: HEIC and AVIF become JPEG where this browser can read them. Null for what cannot be sent. */
export async function asUploadable(file: File): Promise<File | null> {
  if (KNOWN_TYPES.has(file.type)) return file;
  if (!isHeic(file) && file.type !== 'image/avif') return null;
  if (file.size > MAX_BYTES) return null;
  const bitmap = await createImageBitmap(file).catch(() => null);
  return bitmap === null ? null : jpegOf(bitmap, file.name.replace(/\.[^.]*$/, '.jpg'));
}

/** Why a chosen file is not sent; null when it is. `sent`: what became of it. */
export function faultOf(given: File, sent: File | null): string | null {
  if (given.size > MAX_BYTES) return TOO_LARGE;
  if (sent !== null) return sent.size > MAX_BYTES ? TOO_LARGE : null;
  if (isHeic(given))
    return '这个浏览器不能读取 HEIC 图片，请转换为 JPEG 后上传，或在手机相机设置中选“兼容性最佳”后重拍';
  return given.type.startsWith('image/') ? '不支持该图片格式，请换用 JPEG、PNG 或 WebP' : '只能上传图片';
}

function isHeic(file: File): boolean {
  return /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
}

async function jpegOf(bitmap: ImageBitmap, name: string): Promise<File | null> {
  const canvas = document.createElement('canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
  return blob === null ? null : new File([blob], name, { type: 'image/jpeg' });
}

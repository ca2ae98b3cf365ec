/** What is drawn on a canvas as a PNG file. */
export function canvasFile(canvas: HTMLCanvasElement, name: string): Promise<File> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new TypeError('图片没有生成，请重试'));
      else resolve(new File([blob], name, { type: 'image/png' }));
    }, 'image/png');
  });
}

/** Loads a picture file for drawing. */
export async function pictureOf(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch {
    throw new TypeError('图片无法识别');
  }
}

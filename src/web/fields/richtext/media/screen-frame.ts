/** A part of a picture, in its own points. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Takes one picture of the screen, window or page that the person chooses. Every track is stopped afterwards. */
export async function takeScreen(): Promise<HTMLCanvasElement> {
  const { mediaDevices } = navigator;
  // Old browsers and pages without HTTPS do not offer it.
  if (typeof mediaDevices?.getDisplayMedia !== 'function')
    throw new TypeError(
      '浏览器不支持截屏（需要新版浏览器，并以 https 或本机地址访问）；可用系统截图后粘贴到正文',
    );
  let stream: MediaStream;
  try {
    stream = await mediaDevices.getDisplayMedia({ video: true, audio: false });
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
    throw new TypeError(isRefused ? '没有选择要截取的屏幕或窗口' : '没有截到屏幕，请重试', {
      cause: error,
    });
  }
  try {
    return await frameOf(stream);
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

async function frameOf(stream: MediaStream): Promise<HTMLCanvasElement> {
  const video = document.createElement('video');
  video.srcObject = stream;
  video.muted = true;
  await video.play();
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  video.srcObject = null;
  return canvas;
}

/** The part as a picture of its own; the whole one for a crop without an area. */
export function cropped(whole: HTMLCanvasElement, crop: Crop | null): HTMLCanvasElement {
  if (crop === null) return whole;
  const part = document.createElement('canvas');
  part.width = Math.round(crop.width);
  part.height = Math.round(crop.height);
  part.getContext('2d')?.drawImage(whole, -Math.round(crop.x), -Math.round(crop.y));
  return part;
}

/** The area between two corners; null for one that is too small to be meant. */
export function cropBetween(from: readonly [number, number], to: readonly [number, number]): Crop | null {
  const width = Math.abs(to[0] - from[0]);
  const height = Math.abs(to[1] - from[1]);
  if (width < 5 || height < 5) return null;
  return { x: Math.min(from[0], to[0]), y: Math.min(from[1], to[1]), width, height };
}

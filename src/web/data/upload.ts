import { HttpFault } from './http.ts';
import { storedAuthorization } from './stored-person.ts';

export interface UploadOptions {
  /** From 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends one file as multipart and gives the answer's data. By XMLHttpRequest: fetch tells nothing of how far an upload is.
 * @throws HttpFault with a text fit to show
 */
export function uploadFile(path: string, file: File, options: UploadOptions): Promise<unknown> {
  const form = new FormData();
  form.append('files', file);
  const { onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const refuse = (message: string): void => reject(new HttpFault(message, { statusCode: request.status }));
    request.open('POST', `/erp/api${path}`);
    const authorization = storedAuthorization();
    if (authorization !== null) request.setRequestHeader('Authorization', authorization);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener('error', () => refuse('上传失败，请检查网络后重试'));
    request.addEventListener('abort', () => refuse('上传已取消'));
    request.addEventListener('load', () => {
      const answer = parsedAnswer(request.responseText);
      if (answer.code === 200) resolve(answer.data);
      else refuse(answer.msg);
    });
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function parsedAnswer(text: string): { readonly code: number; readonly msg: string; readonly data: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number') {
      const msg =
        'msg' in value && typeof value.msg === 'string' && value.msg !== '' ? value.msg : '上传失败';
      return { code: value.code, msg, data: 'data' in value ? value.data : null };
    }
  } catch {
    // Falls through to the general text.
  }
  return { code: 0, msg: '上传失败', data: null };
}

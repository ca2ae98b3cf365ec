/** Where the pictures and attachments of a document go. */
export interface EditorFiles {
  readonly upload: (
    file: File,
    onProgress?: (fraction: number) => void,
    signal?: AbortSignal,
  ) => Promise<{ readonly address: string; readonly name: string }>;
  /** Has the server fetch a picture from the web; the address of the product's own copy. */
  readonly capture: (address: string) => Promise<string>;
}

/** For a place that takes no files: every upload fails with a message. */
export const NO_FILES: EditorFiles = {
  upload: () => Promise.reject(new TypeError('此处不能上传文件')),
  capture: () => Promise.reject(new TypeError('此处不能上传文件')),
};

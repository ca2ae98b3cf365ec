/** Whether browsers show files of this type as pictures; scans and photographs of telephones are images that they do not. */
export function isPicture(mime: string): boolean {
  return /^image\/(?:png|jpe?g|gif|webp|bmp)$/.test(mime);
}

import { download } from '#web/data/http.ts';
import { saveFile } from '#web/data/save-file.ts';

const OWN_FILE = /^\/erp\/api\/files\/([\w-]+)$/;

/** Sanitised HTML whose own files are not fetched by the browser, which would come without the session. */
export function withoutFileAddresses(html: string): string {
  return html.replace(/ src="\/erp\/api\/files\/([\w-]+)"/g, ' data-file="$1"');
}

/** Fetches the own files of shown HTML with the session. What cannot be read shows its alternative text. */
export function showFiles(root: Element): void {
  for (const element of root.querySelectorAll('[data-file]')) {
    const id = element.getAttribute('data-file') ?? '';
    fileAddress(id).then(
      (address) => element.setAttribute('src', address),
      () => element.setAttribute('alt', '文件无法读取'),
    );
  }
}

/** Saves an attachment that was clicked; false when the click was on something else. */
export function saveAttachment(target: EventTarget): boolean {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  const id = OWN_FILE.exec(link?.getAttribute('href') ?? '')?.[1];
  if (link === null || id === undefined) return false;
  void download('GET /files/:id', { params: { id } }).then((blob) =>
    saveFile(blob, link.getAttribute('download') ?? '附件'),
  );
  return true;
}

/** Object addresses by file: the core draws an element anew at each change. */
const ADDRESSES = new Map<string, Promise<string>>();

/** An address at which the page can show an own file. */
export function fileAddress(id: string): Promise<string> {
  const known =
    ADDRESSES.get(id) ??
    download('GET /files/:id', { params: { id } }).then((blob) => URL.createObjectURL(blob));
  ADDRESSES.set(id, known);
  known.catch(() => ADDRESSES.delete(id));
  return known;
}

import { parseBlock } from '../../grid/pasted-block.ts';

/** Text with tabs, as a spreadsheet or a mail puts it on the clipboard, as a table. */

const MOST_ROWS = 500;
const MOST_COLUMNS = 30;

/**
 * The HTML of a table for text of several lines with tabs, or of one line with two tabs and more; a line that is
 * shorter gets empty cells. Null for any other text.
 */
export function tabularHtml(text: string): string | null {
  if (!text.includes('\t')) return null;
  const rows = parseBlock(text.replace(/[\r\n]+$/, ''));
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  const isWhole = rows.every((cells) => cells.length === columns);
  const isTable =
    rows.length <= MOST_ROWS &&
    columns >= 2 &&
    columns <= MOST_COLUMNS &&
    (rows.length === 1 ? columns >= 3 : isWhole || rows.every((cells) => cells.length >= 2));
  if (!isTable) return null;
  const body = rows
    .map(
      (cells) => `<tr>${Array.from({ length: columns }, (_, at) => cellHtml(cells[at] ?? '')).join('')}</tr>`,
    )
    .join('');
  return `<table style="width: auto;"><tbody>${body}</tbody></table>`;
}

function cellHtml(text: string): string {
  const escaped = text.trim().replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return `<td colSpan="1" rowSpan="1" width="auto">${escaped.replaceAll('\n', '<br>')}</td>`;
}

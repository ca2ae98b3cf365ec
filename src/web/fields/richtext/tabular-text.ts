/** Text with tabs, as a spreadsheet or a mail puts it on the clipboard, as a table. */

const MOST_ROWS = 500;
const MOST_COLUMNS = 30;

/** The HTML of a table for text of several lines that all have the same number of tabs; null for any other text. */
export function tabularHtml(text: string): string | null {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const rows = lines.map((line) => line.split('\t'));
  const columns = rows[0]?.length ?? 0;
  const isTable =
    rows.length >= 2 &&
    rows.length <= MOST_ROWS &&
    columns >= 2 &&
    columns <= MOST_COLUMNS &&
    rows.every((cells) => cells.length === columns);
  if (!isTable) return null;
  const body = rows.map((cells) => `<tr>${cells.map(cellHtml).join('')}</tr>`).join('');
  return `<table style="width: auto;"><tbody>${body}</tbody></table>`;
}

function cellHtml(text: string): string {
  const escaped = text.trim().replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return `<td colSpan="1" rowSpan="1" width="auto">${escaped}</td>`;
}

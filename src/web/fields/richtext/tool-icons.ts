/** Signs of the tools that the core has none for, drawn with lines on a field of 24 by 24. */
function sign(...paths: readonly string[]): string {
  const lines = paths.map((path) => `<path d="${path}"></path>`).join('');
  return `<svg viewBox="1 1 22 22"><g stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${lines}</g></svg>`;
}

const CIRCLE = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export const TOOL_ICONS = {
  undo: sign('M8 5L4 9l4 4', 'M4 9h10a5 5 0 0 1 0 10h-3'),
  redo: sign('M16 5l4 4-4 4', 'M20 9H10a5 5 0 0 0 0 10h3'),
  link: sign(
    'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1',
    'M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  ),
  unlink: sign('M9 15l-2 2', 'M5.3 13A4 4 0 0 0 11 18.7', 'M18.7 11A4 4 0 0 0 13 5.3', 'M4 4l16 16'),
  anchor: sign(CIRCLE(12, 5, 2), 'M12 7v14', 'M5 13a7 7 0 0 0 14 0', 'M9 10.5h6'),
  image: sign('M3 5h18v14H3z', CIRCLE(8.5, 10, 1.5), 'M21 16l-6-5-9 8'),
  attachment: sign('M8 12.5l6-6a3 3 0 0 1 4.2 4.2l-8 8a5 5 0 0 1-7-7l8-8'),
  special: sign('M5 20h4v-2.5a6.5 6.5 0 1 1 6 0V20h4'),
  pageBreak: sign('M5 9V4h14v5', 'M5 15v5h14v-5', 'M3 12h3', 'M9 12h2', 'M13 12h2', 'M18 12h3'),
  more: sign('M4 4h16v16H4z', 'M12 8v8', 'M8 12h8'),
  video: sign('M3 6h18v12H3z', 'M10 9.5l5 2.5-5 2.5z'),
  music: sign('M9 18V5l11-2v13', CIRCLE(6.5, 18, 2.5), CIRCLE(17.5, 16, 2.5)),
  map: sign('M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21z', CIRCLE(12, 9.5, 2.5)),
  frame: sign('M3 5h18v14H3z', 'M3 9h18'),
  webApp: sign('M4 4h6v6H4z', 'M14 4h6v6h-6z', 'M4 14h6v6H4z', 'M14 14h6v6h-6z'),
  scrawl: sign('M4 20c3-1 2-5 5-6l8-9 3 3-9 8c-1 3-4 3-7 4z'),
  screenCapture: sign('M3 4h18v12H3z', 'M8 20h8', 'M12 16v4'),
  background: sign('M4 4h16v16H4z', 'M4 15l5-5 4 4 3-3 4 4'),
  wordImage: sign('M5 3h10l4 4v14H5z', 'M8 11l1.5 6 2.5-5 2.5 5L16 11'),
  chart: sign('M4 4v16h16', 'M8 16v-5', 'M12 16V8', 'M16 16v-7'),
  search: sign(CIRCLE(11, 11, 6), 'M20 20l-4.5-4.5'),
  source: sign('M3 4h18v16H3z', 'M10 9l-3 3 3 3', 'M14 9l3 3-3 3'),
  preview: sign('M2 12s4-6 10-6 10 6 10 6-4 6-10 6S2 12 2 12z', CIRCLE(12, 12, 2.5)),
  help: sign(CIRCLE(12, 12, 9), 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1 1-1 1.7', 'M12 17v.01'),
  clear: sign('M5 7h14', 'M9 7V4h6v3', 'M7 7l1 13h8l1-13'),
  table: sign('M3 4h18v16H3z', 'M3 9h18', 'M9 9v11'),
  rowAbove: sign('M3 13h18v7H3z', 'M12 13v7', 'M12 3v6', 'M9 6h6'),
  rowBelow: sign('M3 4h18v7H3z', 'M12 4v7', 'M12 15v6', 'M9 18h6'),
  columnLeft: sign('M13 3h7v18h-7z', 'M13 12h7', 'M3 12h6', 'M6 9v6'),
  columnRight: sign('M4 3h7v18H4z', 'M4 12h7', 'M15 12h6', 'M18 9v6'),
  merge: sign('M3 5h18v14H3z', 'M6 12h4', 'M8 10l2 2-2 2', 'M18 12h-4', 'M16 10l-2 2 2 2'),
  cell: sign('M3 4h18v16H3z', 'M9 9h6v6H9z'),
} as const;

import { Boot } from '@wangeditor/editor';
import { CHART_TITLES, parseChart } from '#engine/fields/chart-settings.ts';
import { keptOf } from './attribute-module.ts';
import { parseKept } from './kept-attributes.ts';

const CHART = 'data-chart';

/** The `data-chart` of a table element of the core, null when it has none. */
export function chartOf(node: object): string | null {
  return parseKept(keptOf(node))[CHART] ?? null;
}

/** Shows in the text which tables are charts. Once a page: the core keeps a global list. */
export function registerChartModule(): void {
  Boot.registerModule({
    renderStyle: (node, vnode) => {
      const mark = chartMark(node);
      if (mark !== null) {
        vnode.data ??= {};
        vnode.data.attrs = { ...vnode.data.attrs, 'data-chart-mark': mark };
      }
      return vnode;
    },
  });
}

function chartMark(node: object): string | null {
  if (!('type' in node) || node.type !== 'table') return null;
  const chart = chartOf(node);
  if (chart === null) return null;
  const { chartType, title } = parseChart(chart);
  return title === '' ? CHART_TITLES[chartType] : `${CHART_TITLES[chartType]}：${title}`;
}

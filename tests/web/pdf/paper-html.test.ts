// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { paperHtml } from '#web/features/pdf/paper-html.ts';

it('a drawn chart goes to paper as a picture without its button, one that is not drawn as its table', () => {
  HTMLCanvasElement.prototype.toDataURL = () => 'data:image/png;base64,AA==';
  const shown = document.createElement('div');
  shown.innerHTML =
    '<div class="richtext-chart-host"><figure><div class="richtext-chart-frame" style="height: 300px"><canvas></canvas></div><button>查看数据</button></figure></div><table hidden=""><tbody><tr><td>1</td></tr></tbody></table>' +
    '<div class="richtext-chart-host"><figure></figure></div><table hidden=""><tbody><tr><td>2</td></tr></tbody></table>';
  const before = shown.innerHTML;
  const { body } = new DOMParser().parseFromString(paperHtml(shown), 'text/html');
  expect(body.querySelectorAll('canvas, button')).toHaveLength(0);
  expect([...body.querySelectorAll('img')].map((picture) => picture.src)).toEqual([
    'data:image/png;base64,AA==',
  ]);
  expect([...body.querySelectorAll('table')].map((table) => table.hidden)).toEqual([true, false]);
  expect(body.querySelectorAll('.richtext-chart-host')).toHaveLength(1);
  expect(shown.innerHTML).toBe(before);
});

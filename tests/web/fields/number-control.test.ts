import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { NUMBER_VIEW } from '#web/fields/number-view.tsx';

const rate = expandField('rate', { type: 'percent', title: '佣金率' });
const { Control } = NUMBER_VIEW;

function markup(value: string | null, isDisabled: boolean): string {
  return renderToStaticMarkup(
    createElement(Control, { id: 'rate', field: rate, value, isDisabled, onChange: () => undefined }),
  );
}

it('a number that cannot be written says its unit only where there is a number', () => {
  expect(markup('5', true)).toContain('>%<');
  expect(markup(null, false)).toContain('>%<');
  expect(markup(null, true)).not.toContain('>%<');
});

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { NUMBER_VIEW } from '#web/fields/number-view.tsx';
import { TEXT_VIEW } from '#web/fields/text-view.tsx';
import { TEXTAREA_VIEW } from '#web/fields/textarea-view.tsx';

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

it.each([
  ['text', TEXT_VIEW],
  ['textarea', TEXTAREA_VIEW],
] as const)(
  'a %s that is too long is not cut by the browser, so that the field can refuse it',
  (type, view) => {
    const field = expandField('no', { type, title: '证号', max: 40 });
    const value = '9'.repeat(41);
    const shown = renderToStaticMarkup(
      createElement(view.Control, { field, value, onChange: () => undefined }),
    );
    expect(shown).toContain(value);
    expect(shown.toLowerCase()).not.toContain('maxlength');
  },
);

/**
 * The background of a document stands behind its text and is no part of it. It is stored as one paragraph at the end
 * that is never shown, as Chinese editors have long done: `<p data-background="...">`.
 */
export interface DocumentBackground {
  /** `#rrggbb`, empty for none. */
  readonly color: string;
  /** Id of an own file, empty for none. */
  readonly image: string;
  readonly repeat: 'no-repeat' | 'repeat' | 'repeat-x' | 'repeat-y';
  /** Horizontal place of a picture that is not repeated; it stands at the top. */
  readonly position: 'left' | 'center' | 'right';
}

export const NO_BACKGROUND: DocumentBackground = { color: '', image: '', repeat: 'repeat', position: 'left' };

/** The document without its background, and the background. Values that are none of these are not believed. */
export function splitBackground(html: string): {
  readonly html: string;
  readonly background: DocumentBackground;
} {
  if (!html.includes('data-background')) return { html, background: NO_BACKGROUND };
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const holders = [...body.querySelectorAll('[data-background]')];
  const text = holders.at(-1)?.getAttribute('data-background') ?? '';
  for (const holder of holders) holder.remove();
  return { html: body.innerHTML, background: parseBackground(text) };
}

/** The paragraph that stores a background; empty for none. */
export function backgroundHtml({ color, image, repeat, position }: DocumentBackground): string {
  if (color === '' && image === '') return '';
  const parts = [
    ...(color === '' ? [] : [`color:${color}`]),
    ...(image === '' ? [] : [`image:${image}`, `repeat:${repeat}`, `position:${position}`]),
  ];
  return `<p style="display: none;" data-background="${parts.join(';')}"><br></p>`;
}

function parseBackground(text: string): DocumentBackground {
  const values = new Map(
    text.split(';').map((part) => {
      const at = part.indexOf(':');
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
  const color = values.get('color') ?? '';
  const image = values.get('image') ?? '';
  const repeat = (['no-repeat', 'repeat', 'repeat-x', 'repeat-y'] as const).find(
    (one) => one === values.get('repeat'),
  );
  const position = (['left', 'center', 'right'] as const).find((one) => one === values.get('position'));
  return {
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : '',
    image: /^[\w-]{1,64}$/.test(image) ? image : '',
    repeat: repeat ?? NO_BACKGROUND.repeat,
    position: position ?? NO_BACKGROUND.position,
  };
}

/** Shows a background behind an element; the picture comes with the session. */
export function showBackground(
  element: HTMLElement,
  background: DocumentBackground,
  addressOf: (file: string) => Promise<string>,
): void {
  const { style } = element;
  style.backgroundColor = background.color;
  style.backgroundRepeat = background.image === '' ? '' : background.repeat;
  style.backgroundPosition = background.image === '' ? '' : `${background.position} top`;
  style.backgroundImage = '';
  if (background.image === '') return;
  addressOf(background.image).then(
    (address) => {
      style.backgroundImage = `url("${address}")`;
    },
    () => undefined,
  );
}

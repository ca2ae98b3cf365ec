/** CSS declarations of a style text, longhands by name. */
export function declarationsOf(text: string | undefined): Readonly<Record<string, string>> {
  const { style } = document.createElement('span');
  style.cssText = text ?? '';
  return Object.fromEntries(
    Array.from({ length: style.length }, (_, index) => {
      const name = style.item(index);
      return [name, style.getPropertyValue(name)];
    }),
  );
}

/** The style text with declarations set, or taken away where null. */
export function withDeclarations(
  text: string | undefined,
  changes: Readonly<Record<string, string | null>>,
): string {
  const { style } = document.createElement('span');
  style.cssText = text ?? '';
  for (const [name, value] of Object.entries(changes))
    if (value === null) style.removeProperty(name);
    else style.setProperty(name, value);
  return style.cssText;
}

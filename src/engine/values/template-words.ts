/** A word that may stand in braces, and what people call it. */
export interface TemplateWord {
  readonly value: string;
  readonly label: string;
}

/**
 * A template with each word in its title; a word that nobody knows stays as it is called.
 * @example templateInWords('{no}-{seq:5}', [{ value: 'no', label: '单据编号' }]) // '〔单据编号〕-〔流水号5位〕'
 */
export function templateInWords(template: string, words: readonly TemplateWord[]): string {
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const sequence = /^seq:(\d)$/.exec(name);
    if (sequence !== null) return `〔流水号${sequence[1] ?? ''}位〕`;
    return `〔${words.find(({ value }) => value === name)?.label ?? name}〕`;
  });
}

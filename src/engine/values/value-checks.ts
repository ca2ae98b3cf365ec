/** Named checks of one text value, used by a field's `check`. Trade ones are registered at start by server and browser. */

export type ValueCheck = (text: string) => string | null;

const checks = new Map<string, ValueCheck>([
  ['mobile', (text) => (/^1[3-9]\d{9}$/.test(text) ? null : '手机号格式不正确')],
  ['email', (text) => (/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(text) ? null : '邮箱格式不正确')],
  ['digits', (text) => (/^\d+$/.test(text) ? null : '只能填写数字')],
]);

/** Makes a check known by its name; the same name again replaces it. */
export function defineValueCheck(name: string, check: ValueCheck): void {
  checks.set(name, check);
}

/** What the named check says of a text: null when it passes or when no such check is known (the lint reports that). */
export function runValueCheck(name: string, text: string): string | null {
  return checks.get(name)?.(text) ?? null;
}

/** The names known so far, for the lint. */
export function knownValueChecks(): readonly string[] {
  return [...checks.keys()];
}

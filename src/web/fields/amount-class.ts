/**
 * How an amount is told apart at a glance: what is owed in red, what is nothing in grey.
 * @example amountClass('-1,200.00') // 'field-negative'
 */
export function amountClass(text: string): string | undefined {
  if (!/[1-9]/.test(text)) return 'field-zero';
  return text.startsWith('-') ? 'field-negative' : undefined;
}

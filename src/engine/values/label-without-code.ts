/** What a choice is called without the code that its label begins with: `离岸价` of FOB `FOB 离岸价`; null where it has none. */
export function labelWithoutCode({
  value,
  label,
}: {
  readonly value: string;
  readonly label: string;
}): string | null {
  return label.startsWith(`${value} `) ? label.slice(value.length + 1) : null;
}

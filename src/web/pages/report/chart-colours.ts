/** One palette that holds for colour-blind eyes and in print. */
export const COLOURS: readonly string[] = [
  '#3b6fb6',
  '#e08a1e',
  '#2f9e8f',
  '#8a63c9',
  '#c8503c',
  '#7a8b99',
  '#b5a02a',
  '#c0669b',
  '#1f3d63',
  '#86b84a',
  '#8a5a2b',
  '#6fb7e0',
];

/** From what is as it should be to what is worst: on time green-blue, open amber, overdue red. */
const SEVERITY = ['#2f9e8f', '#d9b23c', '#e08a1e', '#d1662b', '#c0392b', '#7f1d1d'] as const;

/** Colours of so many steps, the first calm and the last worst. */
export function severityColours(steps: number): readonly string[] {
  const each = (SEVERITY.length - 1) / Math.max(1, steps - 1);
  return Array.from({ length: steps }, (_step, index) => SEVERITY[Math.round(index * each)] ?? '#7f1d1d');
}

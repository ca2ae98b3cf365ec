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

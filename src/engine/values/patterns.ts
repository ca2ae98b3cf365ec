/** Tells whether a text fits a pattern. */
export type PatternTest = (text: string) => boolean;

/** Makes the test of a pattern. @throws for a pattern that cannot be judged in time linear in the text */
export type PatternEngine = (pattern: string) => PatternTest;

let engine: PatternEngine | null = null;
const tests = new Map<string, PatternTest>();

/** Makes patterns be judged from now on; `linear-pattern.ts` does it when it is loaded. */
export function usePatternEngine(made: PatternEngine): void {
  engine = made;
}

/**
 * Whether a text fits a pattern of a definition. Such patterns never run in the engine of JavaScript, whose time may grow
 * exponentially. True where no engine is loaded (a browser's first moments): the server judges every save.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const known = tests.get(pattern) ?? engine?.(pattern);
  if (known === undefined) return true;
  tests.set(pattern, known);
  return known(text);
}

import { RE2JS } from 're2js';
import { type PatternTest, usePatternEngine } from './patterns.ts';

/**
 * The test of a pattern in a linear-time engine (RE2): no look-around, no back-references. It is compiled once.
 * @throws for a pattern that this engine does not know
 */
export function compilePattern(pattern: string): PatternTest {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return (text) => compiled.matcher(text).find();
}

usePatternEngine(compilePattern);

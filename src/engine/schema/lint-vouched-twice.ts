import type { ResourceLint } from './lint-context.ts';

/** Two vouchers of one event on the same lines: the second would find them vouched already, and give nothing. */
export function lintVouchedTwice(context: ResourceLint): void {
  const seen = new Set<string>();
  for (const [index, { event, lines }] of (context.definition.vouchers ?? []).entries())
    for (const each of new Set(lines.map((line) => line.each ?? ''))) {
      const key = `${event}|${each}`;
      if (seen.has(key))
        context.report(
          ['vouchers', index, 'event'],
          `同一行有两张 "${event}" 凭证，请合为一张或用另一个事件`,
        );
      seen.add(key);
    }
}

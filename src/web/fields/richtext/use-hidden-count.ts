import { useLayoutEffect, useState } from 'react';

/**
 * How often the tab of a component was hidden. The core's editor is destroyed then and cannot be shown again: whoever
 * holds one mounts it anew by this count.
 */
export function useHiddenCount(): number {
  const [count, setCount] = useState(0);
  useLayoutEffect(() => () => setCount((before) => before + 1), []);
  return count;
}

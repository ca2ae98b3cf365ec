/**
 * Lets everybody else be served before the work goes on. Long loops call it every few dozen rows: awaiting what is
 * there already gives nobody a turn.
 */
export function letOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** True where the window has no page to go back to: the router numbers its pages. */
export function isFirstPage(): boolean {
  const state: unknown = window.history.state;
  const index = typeof state === 'object' && state !== null && 'idx' in state ? state.idx : 0;
  return index === 0;
}

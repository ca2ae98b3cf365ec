/** What one answers with in a dialog, else what closes it with yes. */
const FIELDS = '.ant-modal-body :is(input:not([type=hidden]), textarea):not([disabled], [readonly])';
const MAIN = '.ant-modal-footer :is(.ant-btn-primary, .ant-btn-dangerous):not([disabled])';

/**
 * For `afterOpenChange` of a dialog: the first field gets the focus, else the main button, so that a key is enough. The
 * dialog takes it for itself when it opens, whatever says autoFocus.
 */
export function focusDialog(isOpen: boolean): void {
  if (!isOpen) return;
  const front = [...document.querySelectorAll<HTMLElement>('.ant-modal')].findLast(
    ({ offsetParent }) => offsetParent !== null,
  );
  if (front === undefined || front.querySelector(':is(input, textarea):focus') !== null) return;
  const target = front.querySelector<HTMLElement>(FIELDS) ?? front.querySelector<HTMLElement>(MAIN);
  target?.focus({ preventScroll: true });
}

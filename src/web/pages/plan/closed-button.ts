import type { ButtonProps } from 'antd';

/** The confirming button of a dialog whose action would be refused, with the reason where the pointer rests. */
export function closedButton(reason: string | null): Pick<ButtonProps, 'disabled' | 'title'> {
  return reason === null ? {} : { disabled: true, title: reason };
}

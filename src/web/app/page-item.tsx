import { cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';

const NAMES: Readonly<Record<string, string>> = {
  prev: '上一页',
  next: '下一页',
  'jump-prev': '向前五页',
  'jump-next': '向后五页',
};

/** For `itemRender` of the library's pagination: arrows are called what they do. */
export function pageItem(_: number, type: string, item: ReactNode): ReactNode {
  const name = NAMES[type];
  if (name === undefined || !isValidElement(item)) return item;
  return cloneElement(item as ReactElement<{ 'aria-label'?: string }>, { 'aria-label': name });
}

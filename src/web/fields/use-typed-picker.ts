import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import type { ControlProps } from './field-view.ts';
import { typedInPicker } from './typed-date.ts';

export interface TypedPicker {
  /** What was typed last and is no value; null when there is none. */
  readonly refused: string | null;
  readonly forget: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * Takes what was typed in a picker at Enter and when it is left: the picker drops what it cannot read itself, and what was
 * not confirmed, and stands as it stood before.
 * @param read the value of a text: empty when nothing was typed, null for what is none
 * @param isShown whether a value, or none (`''`), is what stands there already
 */
export function useTypedPicker(
  { onChange, onBlur }: Pick<ControlProps, 'onChange' | 'onBlur'>,
  read: (typed: string) => string | null,
  isShown: (value: string) => boolean,
): TypedPicker {
  const [refused, setRefused] = useState<string | null>(null);
  const take = (target: EventTarget): void => {
    const typed = typedInPicker(target);
    const value = typed === null ? null : read(typed);
    setRefused(value === null && typed !== null ? typed.trim() : null);
    if (value !== null && !isShown(value)) onChange(value === '' ? null : value);
  };
  return {
    refused,
    forget: () => setRefused(null),
    onKeyDown: ({ key, target }) => {
      if (key === 'Enter') take(target);
    },
    onBlur: ({ target }) => {
      take(target);
      onBlur?.();
    },
  };
}

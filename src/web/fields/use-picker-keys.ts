import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react';

interface PickerState {
  /** The list still shows the answer to an earlier text. */
  readonly isLoading: boolean;
  readonly isOpen: boolean;
  readonly keyword: string;
  /** The answer to the text for which Enter was pressed is there. */
  readonly onArrived: () => void;
}

/**
 * Keys in a list that is searched at the server, before the library's own. Enter that comes before the answer to what was
 * typed counts once that is there, unless something else was typed or the list was closed meanwhile: what stands first until
 * then is not what was typed. Tab without having typed chooses nothing, where the library would take the first.
 */
export function usePickerKeys({ isLoading, isOpen, keyword, onArrived }: PickerState) {
  const entered = useRef<string | null>(null);
  const arrive = useEffectEvent(onArrived);
  useEffect(() => {
    if (isLoading || entered.current === null) return;
    const isSame = entered.current === keyword && isOpen;
    entered.current = null;
    if (isSame) arrive();
  }, [isLoading, keyword, isOpen]);
  return (event: KeyboardEvent): void => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && isLoading) {
      entered.current = keyword;
      event.preventDefault();
      event.stopPropagation();
    }
    if (event.key === 'Tab' && (isLoading || keyword === '')) event.stopPropagation();
  };
}

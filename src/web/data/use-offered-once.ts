import { useEffect, useState } from 'react';
import { keepValue, keptValue } from './kept-values.ts';

/** Whether something is offered that is not to be offered again once it was seen or declined, under a key of its own; and how that is said. */
export function useOfferedOnce(key: string): readonly [isOffered: boolean, end: () => void] {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void keptValue(key).then((seen) => isCurrent && setOffered(seen !== true));
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return [
    isOffered,
    () => {
      setOffered(false);
      void keepValue(key, true);
    },
  ];
}

import { useEffect, useRef, useState } from 'react';
import { keepValue, keptValue } from '#web/data/kept-values.ts';

/** The groups of the menu that stand open, kept for each account on this computer; null until somebody opens or closes one. */
export function useOpenGroups(
  person: string,
): readonly [readonly string[] | null, (groups: readonly string[]) => void] {
  const [groups, setGroups] = useState<readonly string[] | null>(null);
  const isTouched = useRef(false);
  useEffect(() => {
    isTouched.current = false;
    setGroups(null);
    let isCurrent = true;
    void keptValue(keyOf(person)).then((kept) => {
      if (isCurrent && !isTouched.current && isTexts(kept)) setGroups(kept);
    });
    return () => {
      isCurrent = false;
    };
  }, [person]);
  const change = (next: readonly string[]): void => {
    isTouched.current = true;
    setGroups(next);
    void keepValue(keyOf(person), [...next]);
  };
  return [groups, change];
}

function keyOf(person: string): string {
  return `menu|${person}`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

import { useEffect, useState } from 'react';

/** As layout.css has it: here the menu lies over the page. */
const NARROW = matchMedia('(max-width: 900px)');

/** The menu lies over the page: choosing in it closes it. */
export function isMenuOverPage(): boolean {
  return NARROW.matches;
}

/** The menu goes out of the way when the window gets narrow, by zooming too, and comes back with the room. */
export function useMenuOpen(): readonly [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => !NARROW.matches);
  useEffect(() => {
    const follow = () => setOpen(!NARROW.matches);
    NARROW.addEventListener('change', follow);
    return () => NARROW.removeEventListener('change', follow);
  }, []);
  return [isOpen, setOpen];
}

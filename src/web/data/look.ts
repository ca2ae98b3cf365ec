/** How one wants the pages: of this browser, for whoever works at it. */
export interface Look {
  readonly light: 'light' | 'dark' | 'system';
  readonly density: 'standard' | 'compact';
}

const COOKIE = 'erp_look';
const YEAR_S = 31_536_000;
const listeners = new Set<() => void>();
const dark = matchMedia('(prefers-color-scheme: dark)');
let look: Look = readLook();

/** True where the system is set to move as little as it can; as it was when the page was loaded. */
export const isStill: boolean = matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The look as it was chosen last. */
export const currentLook = (): Look => look;

/** True when the pages are dark now: chosen, or as the system is. */
export const isDark = (): boolean => look.light === 'dark' || (look.light === 'system' && dark.matches);

/** Follows choices and the system. */
export function subscribeLook(listener: () => void): () => void {
  listeners.add(listener);
  dark.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    dark.removeEventListener('change', listener);
  };
}

/** Chooses a look. It is kept in a cookie: the login empties the storage. */
export function chooseLook(change: Partial<Look>): void {
  look = { ...look, ...change };
  document.cookie = `${COOKIE}=${look.light}.${look.density}; path=/; max-age=${YEAR_S}; samesite=strict`;
  for (const listener of listeners) listener();
}

/** Tells the style sheets, which have the colours of everything that is not antd's, now and whenever it changes. */
export function keepLookShown(): void {
  showLook();
  subscribeLook(showLook);
}

function showLook(): void {
  const { dataset } = document.documentElement;
  dataset['theme'] = isDark() ? 'dark' : 'light';
  dataset['density'] = look.density;
}

function readLook(): Look {
  const [, light, density] =
    /(?:^|; )erp_look=(light|dark|system)\.(standard|compact)/.exec(document.cookie) ?? [];
  return {
    light: light === 'dark' || light === 'system' ? light : 'light',
    density: density === 'compact' ? 'compact' : 'standard',
  };
}

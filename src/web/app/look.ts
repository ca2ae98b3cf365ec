import { theme, type ThemeConfig } from 'antd';
import { lightAccent, readableAccent, textAccent } from '#web/data/readable-accent.ts';

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

/** Tells the style sheets, which have the colours of everything that is not antd's. */
export function showLook(): void {
  const { dataset } = document.documentElement;
  dataset['theme'] = isDark() ? 'dark' : 'light';
  dataset['density'] = look.density;
}

/** antd's part of the look: the same grounds and lines as styles/tokens.css. */
export function antdTheme(
  accent: string,
  { isDarkNow, isCompact }: { readonly isDarkNow: boolean; readonly isCompact: boolean },
): ThemeConfig {
  const accentText = isDarkNow ? lightAccent(accent) : textAccent(accent);
  return {
    algorithm: isDarkNow ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: readableAccent(accent),
      colorLink: accentText,
      borderRadius: 6,
      fontSize: 14,
      controlHeight: isCompact ? 28 : 30,
      ...(isDarkNow ? DARK : LIGHT),
    },
    components: {
      Menu: { itemSelectedColor: accentText, subMenuItemSelectedColor: accentText },
      Tabs: { itemSelectedColor: accentText, itemHoverColor: accentText },
      // Its figures are white in the dark too: what is red as a text is too light behind them.
      Badge: { colorError: LIGHT.colorError },
    },
    cssVar: true,
    hashed: false,
  };
}

const LIGHT = {
  colorError: '#c01f2b',
  colorBgLayout: '#f7f8fa',
  colorText: '#1f262e',
  colorTextSecondary: '#5a636e',
  colorTextDescription: '#5a636e',
  colorTextPlaceholder: '#68717c',
  colorTextDisabled: '#727b86',
  colorBorder: '#c9ced6',
  colorBorderSecondary: '#e8eaee',
} as const;

const DARK = {
  colorError: '#ff8481',
  colorBgLayout: '#131619',
  colorBgContainer: '#1c2024',
  colorBgElevated: '#25292e',
  colorText: '#e4e7ea',
  colorTextSecondary: '#a6afb9',
  colorTextDescription: '#a6afb9',
  colorTextPlaceholder: '#8e98a3',
  colorTextDisabled: '#8e98a3',
  colorBorder: '#4b535c',
  colorBorderSecondary: '#2d3238',
} as const;

function readLook(): Look {
  const [, light, density] =
    /(?:^|; )erp_look=(light|dark|system)\.(standard|compact)/.exec(document.cookie) ?? [];
  return {
    light: light === 'dark' || light === 'system' ? light : 'light',
    density: density === 'compact' ? 'compact' : 'standard',
  };
}

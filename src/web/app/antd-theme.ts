import { theme, type ThemeConfig } from 'antd';
import { useMemo, useSyncExternalStore } from 'react';
import { currentLook, isDark, isStill, subscribeLook } from '#web/data/look.ts';
import { lightAccent, readableAccent, textAccent } from '#engine/values/readable-accent.ts';
import { currentSite } from '#web/data/site.ts';

/** antd's part of the look as it is now: the same grounds and lines as styles/tokens.css. */
export function useAntdTheme(): ThemeConfig {
  const { accent } = currentSite();
  const isDarkNow = useSyncExternalStore(subscribeLook, isDark);
  const isCompact = useSyncExternalStore(subscribeLook, () => currentLook().density === 'compact');
  return useMemo(() => antdTheme(accent, { isDarkNow, isCompact }), [accent, isDarkNow, isCompact]);
}

function antdTheme(
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
      // What opens is placed at once: measured while it moves it would stand beside the window.
      motion: !isStill,
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

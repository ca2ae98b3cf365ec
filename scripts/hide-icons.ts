import type { Plugin } from 'vite';

/** Where the icon library makes the element of every icon, antd's own included. */
const ICON_MODULE = /@ant-design[\\/]icons[\\/]es[\\/]components[\\/]AntdIcon\.js$/;
const ENGLISH_NAME = `"aria-label": icon.name`;

/**
 * An icon of the library calls itself by its English file name (`down`, `search`), which a screen reader says before the
 * Chinese of the button around it. Here an icon is decoration and says nothing, unless whoever shows it names it.
 */
export function hideIcons(): Plugin {
  return {
    name: 'hide-icons',
    transform: {
      filter: { id: ICON_MODULE },
      handler: (code, id) => (ICON_MODULE.test(id) ? withoutEnglishName(code) : null),
    },
  };
}

/** @throws when the library makes its icons in another way: the name would come back unseen. */
export function withoutEnglishName(code: string): string {
  if (!code.includes(ENGLISH_NAME)) throw new TypeError('The icon library names its icons in another way.');
  return code.replace(
    ENGLISH_NAME,
    `"aria-hidden": restProps["aria-label"] === undefined ? true : undefined`,
  );
}

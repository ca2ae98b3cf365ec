import type { Plugin } from 'vite';

/** A place in a library where something is called by an English name that no property changes. */
interface EnglishName {
  /** The module, from its package on. */
  readonly module: string;
  readonly english: string;
  readonly chinese: string;
}

/**
 * An icon calls itself by its English file name (`down`, `search`), which a screen reader says before the Chinese of the
 * button around it. Here an icon is decoration and says nothing, unless whoever shows it names it. The rest has names of
 * its own that are English in every language, or none at all.
 */
export const ENGLISH_NAMES: readonly EnglishName[] = [
  {
    module: '@ant-design/icons/es/components/AntdIcon.js',
    english: '"aria-label": icon.name',
    chinese: '"aria-hidden": restProps["aria-label"] === undefined ? true : undefined',
  },
  { module: 'rc-dialog/es/Dialog/Content/Panel.js', english: '"Close"', chinese: '"关闭"' },
  { module: 'rc-notification/es/Notice.js', english: '"Close"', chinese: '"关闭"' },
  { module: 'rc-input-number/es/StepHandler.js', english: '"Increase Value"', chinese: '"增加"' },
  { module: 'rc-input-number/es/StepHandler.js', english: '"Decrease Value"', chinese: '"减少"' },
  { module: 'rc-segmented/es/index.js', english: '"segmented control"', chinese: '"选项"' },
  { module: 'rc-tree/es/NodeList.js', english: '"for screen reader"', chinese: '"树的当前项"' },
  { module: 'rc-tree/es/TreeNode.js', english: '"Select "', chinese: '"选择"' },
  { module: 'rc-tree/es/TreeNode.js', english: "'tree node'", chinese: "'此项'" },
  {
    module: 'rc-picker/es/PickerInput/Selector/Icon.js',
    english: 'role: "button",',
    chinese: 'role: "button", "aria-label": "清除",',
  },
  {
    module: 'rc-tabs/es/TabNavList/OperationNode.js',
    english: '"aria-haspopup": "listbox",',
    chinese: '"aria-haspopup": "listbox", "aria-label": "更多标签页",',
  },
  {
    module: 'antd/es/date-picker/generatePicker/generateRangePicker.js',
    english: '"aria-label": "to"',
    chinese: '"aria-label": "至"',
  },
];

/** Gives the libraries' own names in Chinese, when the pages are built. */
export function speakChinese(): Plugin {
  return {
    name: 'speak-chinese',
    transform: {
      filter: { id: /node_modules/ },
      handler: (code, id) => {
        const file = id.replaceAll('\\', '/').split('?')[0] ?? '';
        const names = ENGLISH_NAMES.filter(({ module }) => file.endsWith(`/node_modules/${module}`));
        return names.length === 0 ? null : names.reduce(named, code);
      },
    },
  };
}

/** @throws when the library names it in another way: the English would come back unseen. */
export function named(code: string, { module, english, chinese }: EnglishName): string {
  if (!code.includes(english)) throw new TypeError(`${module} names things in another way: ${english}`);
  return code.replace(english, () => chinese);
}

import { Modal } from 'antd';

/** The keys of the product, where they hold and what they do. */
const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    '随处',
    [
      ['Ctrl + K', '搜索页面、命令与单据'],
      ['Alt + N', '新增本页的单据'],
      ['Alt + C', '复制本页的单据'],
      ['F1', '当前字段或单元格的说明与为什么'],
      ['?', '按键一览（不在输入框中时）'],
    ],
  ],
  [
    '列表与页签',
    [
      ['Alt + Shift + ← →', '移动焦点所在的表头列、页签'],
      ['Alt + Shift + ↑ ↓', '在列设置中移动列'],
      ['← →', '在表头中到上一列、下一列'],
      ['Shift + ← →', '调整焦点所在表头的列宽'],
      ['Alt + ↓', '打开焦点所在表头的筛选'],
    ],
  ],
  [
    '编辑',
    [
      ['Ctrl + S', '保存'],
      ['Ctrl + Enter', '提交'],
      ['F8 / Shift + F8', '到下一处、上一处问题'],
      ['F4', '打开选择表、日历'],
    ],
  ],
  [
    '明细',
    [
      ['↑ ↓ ← →', '在格间移动'],
      ['Tab / Shift + Tab', '下一格、上一格'],
      ['Enter', '到下一行；在最后一行到下一个待填的必填格，填完后添加一行'],
      ['Esc', '放弃本格的修改'],
      ['F9', '看最近几单的值，如单价'],
      ['Ctrl + D', '向下填充'],
      ['Ctrl + Z / Y', '撤销与重做'],
      ['Ctrl + C / V', '复制与粘贴，可来自 Excel'],
    ],
  ],
];

/** ?: the list of keys. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal open title="按键一览" footer={null} onCancel={onClose} width={520}>
      {KEYS.map(([where, keys]) => (
        <section key={where} className="key-list">
          <h3>{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}

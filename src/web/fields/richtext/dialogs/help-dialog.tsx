import { ReadingDialog } from './reading-dialog.tsx';

const HELP = [
  ['Alt+Z', '进入或退出全屏'],
  ['Ctrl+Z、Ctrl+Y', '撤销、重做，最多20步'],
  ['Ctrl+B、Ctrl+I、Ctrl+U', '粗体、斜体、下划线'],
  ['Ctrl+K', '插入或修改链接'],
  ['Ctrl+F', '查找替换'],
  ['Tab', '插入四个空格；列表中为下一级；表格中到下一格'],
  ['Shift+Enter', '段内换行'],
  ['图片', '粘贴、拖入或用按钮上传；点一下图片可改大小和位置'],
  ['表格', '光标在表格中时，上方出现行、列、合并、属性按钮'],
  ['链接', '光标在链接中时，下方出现打开、修改、取消'],
  ['灰框内容', '编辑器不能直接编辑的内容，原样保存；请在“源代码”中修改'],
] as const;

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ReadingDialog title="编辑器帮助" width={640} onClose={onClose}>
      <dl className="richtext-help">
        {HELP.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </ReadingDialog>
  );
}

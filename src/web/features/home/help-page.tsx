import { currentSite } from '#web/data/site.ts';
import './home.css';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl + K', '搜索菜单与单据（编号、名称、拼音首字母）'],
  ['Ctrl + S', '保存正在编辑的单据'],
  ['Ctrl + Enter', '提交正在编辑的单据'],
  ['Enter / Tab / 方向键', '在明细表格中移到下一格'],
  ['Ctrl + V', '把 Excel 中复制的区域粘贴进明细表格'],
  ['Esc', '关闭弹窗，或放弃单元格的输入'],
  ['鼠标中键', '关闭页签'],
  ['页签上单击右键', '刷新、关闭、关闭其他、关闭所有'],
];

const TOPICS: readonly { readonly title: string; readonly lines: readonly string[] }[] = [
  {
    title: '页签',
    lines: [
      '每个页面开在自己的页签里，切换时填写的内容、筛选条件与滚动位置都会保留，最多同时打开 20 个。',
      '首页、预警、审核三个页签固定，不能关闭。',
      '有未保存修改的页签前有一个圆点，关闭或刷新时会先询问。',
    ],
  },
  {
    title: '列表',
    lines: [
      '筛选条件、排序与页码都在地址栏里，可以收藏或发给同事。',
      '「组合条件」可以用并且、或者拼出任意条件；「视图」把条件和列一起存下来，也可以共享给同事。',
      '「导出」按当前的条件和列导出；「导入」先逐行预览新增、更新与错误，确认后一次写入。',
    ],
  },
  {
    title: '编辑与保存',
    lines: [
      '未保存的内容会存为本机草稿，重新打开同一单据时可以恢复。',
      '单据被他人修改后再保存，会逐项列出两个版本供您选择，不会覆盖他人的修改。',
      '红色星号是必填项；草稿可以不填全，提交时才检查。',
    ],
  },
  {
    title: '审核',
    lines: [
      '「审核」页签列出等您处理的单据，可以通过、驳回（须写意见）、转交，允许的单据还可以批量通过。',
      '单据详情里能看到每一级由谁审核、为什么是他，以及自上次提交以来改了什么。',
      '自己提交的单据不能由自己审核。',
    ],
  },
  {
    title: '消息与安全',
    lines: [
      '新消息会在右上角弹出 10 秒，之后可以在消息中心找到。',
      '30 分钟没有操作会自动退出登录；重新登录后回到原来的页面，草稿仍在。',
      '在「个人中心」可以修改密码与手机号，查看并下线其他设备上的登录。',
    ],
  },
];

/** 帮助: the keys and the ways of the program, and whom to call. */
export function HelpPage() {
  const { hotline } = currentSite();
  return (
    <div className="home">
      <h1>帮助{hotline !== '' && <small>服务热线 {hotline}</small>}</h1>
      <div className="home-columns">
        <section className="home-list">
          <h2>快捷键</h2>
          <dl className="help-keys">
            {KEYS.map(([keys, meaning]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
        {TOPICS.map(({ title, lines }) => (
          <section key={title} className="home-list">
            <h2>{title}</h2>
            <ul className="help-lines">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

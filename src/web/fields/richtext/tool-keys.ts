import type { KeyboardEvent } from 'react';

/**
 * The core draws its tools as buttons without a name. They get one, their state is told to screen readers, and the
 * toolbar is one stop of the Tab key with arrows inside, as toolbars are.
 */

/** Names the tools and keeps their states up; returns what ends it. */
export function labelTools(root: HTMLElement, labels: Readonly<Record<string, string>>): () => void {
  const bars = () => root.querySelectorAll<HTMLElement>('.w-e-bar');
  const tell = () => {
    for (const bar of bars()) {
      bar.setAttribute('role', 'toolbar');
      for (const button of bar.querySelectorAll<HTMLButtonElement>('button[data-menu-key]'))
        labelTool(button, labels);
    }
    labelText(root);
    const [first, ...others] = toolsOf(root);
    const current = [first, ...others].find(
      (tool) => tool?.tabIndex === 0 && tool === document.activeElement,
    );
    for (const tool of [first, ...others])
      if (tool !== undefined) tool.tabIndex = tool === (current ?? first) ? 0 : -1;
  };
  tell();
  const observer = new MutationObserver(tell);
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** Arrows, Home and End move inside the toolbar. */
export function moveAmongTools(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  if (!(target instanceof HTMLElement) || target.closest('.w-e-toolbar') === null) return;
  // Of a telephone's tools only a line is shown.
  const tools = toolsOf(currentTarget).filter((tool) => tool.getClientRects().length > 0);
  const at = tools.findIndex((tool) => tool === target);
  const next = nextIndex(event.key, at, tools.length);
  if (at < 0 || next === null) return;
  event.preventDefault();
  const tool = tools[next];
  if (tool === undefined) return;
  for (const other of tools) other.tabIndex = other === tool ? 0 : -1;
  tool.focus();
}

function nextIndex(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

function toolsOf(root: HTMLElement): readonly HTMLButtonElement[] {
  return [...root.querySelectorAll<HTMLButtonElement>('.w-e-toolbar button[data-menu-key]')];
}

function labelTool(button: HTMLButtonElement, labels: Readonly<Record<string, string>>): void {
  const key = (button.dataset['menuKey'] ?? '').replace('dialog:', '');
  const own = labels[key];
  if (own !== undefined && button.hasAttribute('data-tooltip')) set(button, 'data-tooltip', own);
  const said = (own ?? button.dataset['tooltip'] ?? '').split('\n')[0] ?? '';
  set(button, 'aria-label', toolName(key, said, button.textContent.trim()));
  set(button, 'aria-disabled', String(button.classList.contains('disabled')));
  if (!button.classList.contains('select-button'))
    set(button, 'aria-pressed', String(button.classList.contains('active')));
}

/** What is written on a tool belongs to its name: whoever speaks to the machine says what is seen. */
function toolName(key: string, said: string, written: string): string {
  const name = said === '' ? (SILENT[key] ?? '') : said;
  if (name === '' || written === '' || name.includes(written)) return name === '' ? written : name;
  return `${name}：${written}`;
}

/** Tools that the core gives neither a tip nor a text. */
const SILENT: Readonly<Record<string, string>> = { paragraphKind: '段落格式', 'group:insert': '插入' };

/** The core calls the text by a role that there is not. */
function labelText(root: HTMLElement): void {
  const text = root.querySelector('[data-slate-editor]');
  if (text === null) return;
  set(text, 'role', 'textbox');
  set(text, 'aria-multiline', 'true');
  set(text, 'aria-label', '编辑区');
}

function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

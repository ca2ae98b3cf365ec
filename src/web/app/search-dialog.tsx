import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Input, type InputRef, Modal } from 'antd';
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import { callApi } from '#web/data/http.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { faultText } from '#web/data/show-fault.ts';
import { useComposedText } from '#web/fields/composed-text.ts';
import type { MenuEntry } from '#contract/shape.ts';
import {
  type Command,
  createCommands,
  fittingCommands,
  markCommands,
  pageCommands,
  tabCommands,
} from './commands.ts';
import type { PageMarks } from './page-marks.ts';
import { useRoutes } from './routes.ts';

export interface SearchDialogProps {
  readonly menu: readonly MenuEntry[];
  readonly marks: PageMarks;
  /** Commands of the shell itself: logging out, switching the role, the list of keys. */
  readonly own: readonly Command[];
  readonly onOpen: (address: string) => void;
  readonly onClose: () => void;
}

interface Choice {
  readonly key: string;
  readonly kind: string;
  readonly text: string;
  readonly caption?: string;
  readonly open: () => void;
}

const LIST_ID = 'search-hits';

/** One place for everything: pages, commands, and records by number, name or pinyin initials. Arrows and Enter. */
export function SearchDialog({ menu, marks, own, onOpen, onClose }: SearchDialogProps) {
  const input = useRef<InputRef>(null);
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const keyword = useDeferredValue(useComposedText(text).trim());
  const openRecord = useOpenRecord();
  const entries = useResourceList();
  const routes = useRoutes();
  const commands = useMemo(
    () => [
      ...pageCommands(menu),
      ...tabCommands(menu, entries),
      ...createCommands(entries, routes ?? []),
      ...own,
    ],
    [menu, entries, routes, own],
  );
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['global-search', keyword],
    enabled: keyword.length >= 2,
    queryFn: ({ signal }) => callApi('GET /search', { query: { q: keyword }, signal }),
    staleTime: 10_000,
  });
  const shown = keyword === '' ? markCommands(marks) : fittingCommands(commands, keyword);
  const choices: readonly Choice[] = [
    ...shown.map((command) => ({
      ...command,
      open: () => (command.address === undefined ? command.run?.() : onOpen(command.address)),
    })),
    ...(keyword === '' ? [] : (data ?? [])).map((hit) => ({
      key: hit.id,
      kind: hit.title,
      text: hit.label,
      caption: hit.caption.join(' · '),
      open: () => openRecord.byResource(hit.resource, hit.id),
    })),
  ];
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onClose();
    choice.open();
  };
  const moveTo = (next: number) => {
    setPlace(next);
    document.querySelector(`#${LIST_ID}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const move = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') moveTo(Math.min(choices.length - 1, place + 1));
    else if (event.key === 'ArrowUp') moveTo(Math.max(0, place - 1));
    else if (event.key === 'Enter') choose(choices[place]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      open
      title={null}
      footer={null}
      closable={false}
      // Without a movement: what is typed at once must not be lost.
      transitionName=""
      maskTransitionName=""
      afterOpenChange={(isOpen) => isOpen && input.current?.focus()}
      onCancel={onClose}
      width={620}
      style={{ top: 80 }}
    >
      <Input
        ref={input}
        autoFocus
        size="large"
        role="combobox"
        aria-label="搜索"
        aria-expanded={choices.length > 0}
        aria-controls={LIST_ID}
        aria-activedescendant={choices.length === 0 ? undefined : `${LIST_ID}-${place}`}
        placeholder="页面、命令（新增…）、单据编号、名称或拼音首字母"
        value={text}
        maxLength={60}
        onChange={(event) => {
          setText(event.target.value);
          setPlace(0);
        }}
        onKeyDown={move}
      />
      <ul className="search-hits" id={LIST_ID} role="listbox" aria-label="搜索结果">
        {choices.map((choice, index) => (
          <li key={choice.key} id={`${LIST_ID}-${index}`} role="option" aria-selected={index === place}>
            <button type="button" tabIndex={-1} onClick={() => choose(choice)}>
              <small>{choice.kind}</small> {choice.text}
              {choice.caption !== undefined && <span className="search-caption">{choice.caption}</span>}
            </button>
          </li>
        ))}
      </ul>
      {error !== null && (
        <Alert
          type="error"
          showIcon
          message={faultText(error, '搜索没有完成')}
          action={
            <Button size="small" loading={isFetching} onClick={() => void refetch()}>
              重试
            </Button>
          }
        />
      )}
      {choices.length === 0 && keyword !== '' && error === null && (
        <p className="search-empty">{isFetching ? '搜索中…' : '没有找到'}</p>
      )}
      {choices.length === 0 && keyword === '' && (
        <p className="search-empty">输入 wxht 找外销合同，输入“新增”看可以新建的单据；右击页签可以收藏</p>
      )}
    </Modal>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Input, type InputRef, Modal } from 'antd';
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react';
import { callApi } from '#web/data/http.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import type { MenuEntry } from '#contract/shape.ts';

export interface SearchDialogProps {
  readonly menu: readonly MenuEntry[];
  readonly onOpen: (address: string) => void;
  readonly onClose: () => void;
}

interface Choice {
  readonly key: string;
  readonly kind: string;
  readonly text: string;
  readonly open: () => void;
}

/** Search over everything: pages of the menu, records by number, name or pinyin initials. Arrows and Enter. */
export function SearchDialog({ menu, onOpen, onClose }: SearchDialogProps) {
  const input = useRef<InputRef>(null);
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const keyword = useDeferredValue(text.trim());
  const openRecord = useOpenRecord();
  const { data, isFetching } = useQuery({
    queryKey: ['global-search', keyword],
    enabled: keyword.length >= 2,
    queryFn: () => callApi('GET /search', { query: { q: keyword } }),
    staleTime: 10_000,
  });
  const choices: readonly Choice[] = [
    ...menuHits(menu, keyword).map((entry) => ({
      key: entry.url,
      kind: '页面',
      text: [entry.group, entry.name].filter(Boolean).join(' / '),
      open: () => onOpen(entry.url),
    })),
    ...(data ?? []).map((hit) => ({
      key: hit.id,
      kind: hit.title,
      text: hit.label,
      open: () => openRecord.byResource(hit.resource, hit.id),
    })),
  ];
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onClose();
    choice.open();
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setPlace(Math.min(choices.length - 1, place + 1));
    else if (event.key === 'ArrowUp') setPlace(Math.max(0, place - 1));
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
        aria-label="搜索"
        placeholder="单据编号、名称、拼音首字母或菜单"
        value={text}
        maxLength={60}
        onChange={(event) => {
          setText(event.target.value);
          setPlace(0);
        }}
        onKeyDown={move}
      />
      <ul className="search-hits" role="listbox" aria-label="搜索结果">
        {choices.map((choice, index) => (
          <li key={choice.key} role="option" aria-selected={index === place}>
            <button type="button" onClick={() => choose(choice)}>
              <small>{choice.kind}</small> {choice.text}
            </button>
          </li>
        ))}
      </ul>
      {choices.length === 0 && keyword !== '' && (
        <p className="search-empty">{isFetching ? '搜索中…' : '没有找到'}</p>
      )}
    </Modal>
  );
}

/** Pages of the menu whose name holds the keyword; two pages of one name are told apart by their group. */
function menuHits(menu: readonly MenuEntry[], keyword: string) {
  if (keyword === '') return [];
  const flat = (entries: readonly MenuEntry[], group: string): readonly (MenuEntry & { group: string })[] =>
    entries.flatMap((entry) =>
      entry.list.length > 0 ? flat(entry.list, entry.name) : [{ ...entry, group }],
    );
  return flat(menu, '')
    .filter((entry) => entry.name.includes(keyword))
    .slice(0, 8);
}

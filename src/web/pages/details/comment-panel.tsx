import { App, Button, Mentions } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { Colleague } from '#contract/comments.ts';
import { useUnsaved } from '#web/app/use-unsaved.ts';
import { callApi } from '#web/data/http.ts';
import { useRead } from '#web/data/use-read.ts';
import { useWrite } from '#web/data/use-write.ts';
import { showFault } from '#web/data/show-fault.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { shownTime } from './history-row.ts';
import { MentionText } from './mention-text.tsx';

const TYPING_PAUSE_MS = 200;

/** What colleagues say about a record; `@` names those who are to hear of it. */
export function CommentPanel({ resource, id }: { readonly resource: string; readonly id: string }) {
  const { message } = App.useApp();
  const [text, setText] = useState('');
  useUnsaved(text.trim() !== '');
  const params = { resource, id };
  const { data, error, reload } = useRead(
    'GET /comments/:resource/:id',
    { params },
    { key: ['comments', resource, id] },
  );
  const { write, isWriting } = useWrite();
  const colleagues = useColleagues(resource, id);
  const send = async () => {
    try {
      const mentions = colleagues.mentionedIn(text);
      await write('POST /comments/:resource/:id', { params, body: { content: text.trim(), mentions } });
      // What was typed on meanwhile is not sent yet.
      setText((now) => (now === text ? '' : now));
      reload();
    } catch (error) {
      showFault(message, error, '评论没有发出');
    }
  };
  return (
    <section className="details-section">
      <h2>评论</h2>
      {data === undefined && <ReadFault what="评论" error={error} onRetry={reload} />}
      <ul className="comments">
        {(data ?? []).map((comment) => (
          <li key={comment.id}>
            <b>{comment.person_name}</b>{' '}
            <time dateTime={comment.created_at}>{shownTime(comment.created_at)}</time>
            <MentionText text={comment.content} names={comment.mention_names} />
          </li>
        ))}
      </ul>
      <div className="comment-new">
        <Mentions
          aria-label="评论"
          rows={2}
          maxLength={1000}
          value={text}
          onChange={setText}
          placeholder="写下说明，同事可见；输入 @ 提及同事"
          filterOption={false}
          loading={colleagues.isLoading}
          notFoundContent={colleagues.isLoading ? '查找中…' : '没有可以提及的同事'}
          options={[...colleagues.options]}
          onSearch={colleagues.search}
          onSelect={(option) => colleagues.note(option.value ?? '')}
        />
        <Button disabled={text.trim() === ''} loading={isWriting} onClick={() => void send()}>
          发表
        </Button>
      </div>
    </section>
  );
}

/** Those who may be mentioned, looked for as one types, and whom one has picked. */
function useColleagues(resource: string, id: string) {
  const [keyword, setKeyword] = useState<string | null>(null);
  const [found, setFound] = useState<readonly Colleague[]>([]);
  const [isLoading, setLoading] = useState(false);
  const picked = useRef(new Map<string, string>());
  useEffect(() => {
    if (keyword === null) return undefined;
    const stop = new AbortController();
    setLoading(true);
    const timer = setTimeout(
      () => {
        callApi('GET /comments/:resource/:id/colleagues', {
          params: { resource, id },
          query: { keyword },
          signal: stop.signal,
        }).then(
          (answer) => {
            setFound(answer);
            setLoading(false);
          },
          () => {
            if (!stop.signal.aborted) setLoading(false);
          },
        );
      },
      keyword === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [resource, id, keyword]);
  const written = (one: Colleague): string =>
    found.some(({ id: other, name }) => other !== one.id && name === one.name)
      ? `${one.name}（${one.personid}）`
      : one.name;
  return {
    isLoading,
    search: (typed: string) => setKeyword(typed.trim()),
    options: found.map((one) => ({
      key: one.id,
      value: written(one),
      label: (
        <span className="mention-option">
          {one.name} <small>{[one.personid, one.department].filter(Boolean).join(' · ')}</small>
        </span>
      ),
    })),
    note: (value: string) => {
      const one = found.find((known) => written(known) === value);
      if (one !== undefined) picked.current.set(value, one.id);
    },
    /** Whom the text still names. */
    mentionedIn: (text: string): string[] => [
      ...new Set([...picked.current].flatMap(([value, one]) => (text.includes(`@${value}`) ? [one] : []))),
    ],
  };
}

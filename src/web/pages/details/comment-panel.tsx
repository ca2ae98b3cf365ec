import { App, Button, Input } from 'antd';
import { useState } from 'react';
import { useUnsaved } from '#web/app/use-unsaved.ts';
import { useRead } from '#web/data/use-read.ts';
import { useWrite } from '#web/data/use-write.ts';
import { showFault } from '#web/data/show-fault.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { shownTime } from './history-row.ts';

/** What colleagues say about a record. */
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
  const send = async () => {
    try {
      await write('POST /comments/:resource/:id', { params, body: { content: text.trim() } });
      setText('');
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
            <p>{comment.content}</p>
          </li>
        ))}
      </ul>
      <div className="comment-new">
        <Input.TextArea
          aria-label="评论"
          rows={2}
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder="写下说明，同事可见"
        />
        <Button disabled={text.trim() === ''} loading={isWriting} onClick={() => void send()}>
          发表
        </Button>
      </div>
    </section>
  );
}

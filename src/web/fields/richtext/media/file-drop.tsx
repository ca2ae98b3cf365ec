import { InboxOutlined } from '@ant-design/icons';
import { useRef, useState } from 'react';

interface FileDropProps {
  readonly label: string;
  readonly hint: string;
  readonly accept?: string;
  readonly isSingle?: boolean;
  /** Small once there are files. */
  readonly isSmall?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where files are dropped, and the button that chooses them. */
export function FileDrop({ label, hint, accept, isSingle, isSmall, onFiles }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const classes = ['media-drop', isOver ? 'media-drop-over' : '', isSmall === true ? 'media-drop-small' : ''];
  return (
    <>
      <button
        type="button"
        autoFocus
        className={classes.filter((name) => name !== '').join(' ')}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          setOver(false);
          onFiles([...event.dataTransfer.files]);
        }}
      >
        <InboxOutlined className="media-drop-icon" />
        <span>{label}</span>
        <span className="field-hint">{hint}</span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isSingle !== true}
        aria-label={label}
        accept={accept}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

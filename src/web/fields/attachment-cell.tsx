import { Popover } from 'antd';
import { useState } from 'react';
import { fieldText } from './field-text.ts';
import type { ShowProps } from './field-view.ts';
import { FileList, useFiles } from './file-list.tsx';
import { FilePreview } from './file-preview.tsx';

/** The files of a line: a click opens the only one, of several it lists them. Nothing is asked for before. */
export function AttachmentCell({ field, value }: ShowProps) {
  const [isOpen, setOpen] = useState(false);
  const ids = attachmentIds(value);
  const [only] = ids;
  if (only === undefined) return null;
  const button = (
    <button type="button" className="link-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
      {fieldText(field, value)}
    </button>
  );
  if (ids.length === 1)
    return (
      <>
        {button}
        {isOpen && <OnlyFile id={only} onClose={() => setOpen(false)} />}
      </>
    );
  return (
    <Popover trigger="click" title={field.title} content={<FileList ids={ids} />}>
      {button}
    </Popover>
  );
}

/** The ids in the value of an attachment field. */
export function attachmentIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}

/** What kind of file it is decides how it is shown: it opens once that is known. */
function OnlyFile({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { files, isLoading } = useFiles([id]);
  const [file] = files;
  return isLoading || file === undefined ? null : <FilePreview file={file} onClose={onClose} />;
}

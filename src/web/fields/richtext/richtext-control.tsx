import { useRef, useState } from 'react';
import { useFieldServices } from '../field-services.ts';
import type { ControlProps } from '../field-view.ts';
import type { EditorFiles } from './editor-files.ts';
import { EDITOR_DEFAULTS } from './editor-options.ts';
import type { EditorState } from './history.ts';
import { RichTextEditor } from './rich-text-editor.tsx';
import { useHiddenCount } from './use-hidden-count.ts';

/**
 * The editor as the control of a field; `max` of the field is its greatest count of words. An editor shows one document
 * only: a value that it did not write itself (a restored draft, somebody else's version) gets another one.
 */
export function RichtextControl({ value, onChange, ...rest }: ControlProps) {
  const given = typeof value === 'string' && value !== '' ? value : null;
  const written = useRef<unknown>(given);
  const [shown, setShown] = useState({ given, turn: 0 });
  if (given !== shown.given) {
    setShown({ given, turn: given === written.current ? shown.turn : shown.turn + 1 });
    written.current = given;
  }
  const turn = useRef(shown.turn);
  turn.current = shown.turn;
  return (
    <OwnDocument
      {...rest}
      key={shown.turn}
      value={value}
      onChange={(html) => {
        // An editor that goes tells what it has not told yet: of the document before, where another one takes its place.
        if (turn.current !== shown.turn) return;
        written.current = html;
        onChange(html);
      }}
    />
  );
}

/** One document, in as many editors as its tab is hidden and shown. */
function OwnDocument({ value, onChange, onBlur, field, place, recordId }: ControlProps) {
  const services = useFieldServices();
  const hiddenCount = useHiddenCount();
  // What is written last is told while the tab goes: the value here may be older.
  const written = useRef<string | null>(typeof value === 'string' ? value : null);
  const state = useRef<EditorState | null>(null);
  const files: EditorFiles | null =
    services === null || place === undefined
      ? null
      : {
          upload: async (file, onProgress = () => undefined, signal = new AbortController().signal) => {
            const saved = await services.upload({ file, place, recordId, signal, onProgress });
            return { address: `/erp/api/files/${saved.id}`, name: saved.name };
          },
          capture: (address) => services.capture(address, place),
        };
  return (
    <RichTextEditor
      key={hiddenCount}
      label={field.title}
      html={written.current ?? ''}
      onChange={(html) => {
        written.current = html;
        onChange(html);
      }}
      onBlur={onBlur}
      state={state}
      files={files}
      maximumWords={typeof field.max === 'number' ? field.max : EDITOR_DEFAULTS.maximumWords}
    />
  );
}

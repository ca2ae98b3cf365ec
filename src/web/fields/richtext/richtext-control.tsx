import { useRef } from 'react';
import { useFieldServices } from '../field-services.ts';
import type { ControlProps } from '../field-view.ts';
import type { EditorFiles } from './editor-files.ts';
import { EDITOR_DEFAULTS } from './editor-options.ts';
import type { EditorState } from './history.ts';
import { RichTextEditor } from './rich-text-editor.tsx';
import { useHiddenCount } from './use-hidden-count.ts';

/** The editor as the control of a field; `max` of the field is its greatest count of words. */
export function RichtextControl({ value, onChange, onBlur, field, place, recordId }: ControlProps) {
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

import type { IDomEditor } from '@wangeditor/editor';
import { RichtextBlock } from '../richtext-view.tsx';
import { ChartDialog } from './chart-dialog.tsx';
import { AddressDialog, type AddressName } from './dialogs/address-dialog.tsx';
import { BackgroundDialog } from './dialogs/background-dialog.tsx';
import { CellDialog } from './dialogs/cell-dialog.tsx';
import { HelpDialog } from './dialogs/help-dialog.tsx';
import { LinkDialog } from './dialogs/link-dialog.tsx';
import { SearchDialog } from './dialogs/search-dialog.tsx';
import { SourceDialog } from './dialogs/source-dialog.tsx';
import { SpecialDialog } from './dialogs/special-dialog.tsx';
import { TableDialog } from './dialogs/table-dialog.tsx';
import type { EditorFiles } from './editor-files.ts';
import { FullScreenDialog } from './full-screen-dialog.tsx';
import type { DialogName } from './tools.ts';

interface EditorDialogProps {
  readonly name: DialogName;
  readonly editor: IDomEditor;
  readonly files: EditorFiles;
  /** The document as it would be stored now. */
  readonly document: string;
  readonly onInsertInline: (html: string) => void;
  readonly onClose: () => void;
}

/** The dialog of a tool. Each works where the caret was. */
export function EditorDialog(props: EditorDialogProps) {
  const { name, editor, files, document, onInsertInline, onClose } = props;
  switch (name) {
    case 'search':
      return <SearchDialog editor={editor} onClose={onClose} />;
    case 'source':
      return <SourceDialog editor={editor} document={document} onClose={onClose} />;
    case 'preview':
      return (
        <FullScreenDialog title="预览" onClose={onClose}>
          <div className="richtext-preview">
            <RichtextBlock html={document} />
          </div>
        </FullScreenDialog>
      );
    case 'charts':
      return <ChartDialog editor={editor} onClose={onClose} />;
    case 'special':
      return <SpecialDialog editor={editor} onClose={onClose} />;
    case 'help':
      return <HelpDialog onClose={onClose} />;
    case 'link':
      return <LinkDialog editor={editor} onClose={onClose} />;
    case 'tableProperty':
      return <TableDialog editor={editor} onClose={onClose} />;
    case 'cellProperty':
      return <CellDialog editor={editor} onClose={onClose} />;
    case 'background':
      return <BackgroundDialog editor={editor} files={files} onClose={onClose} />;
    default:
      return isAddress(name) ? (
        <AddressDialog name={name} onInsert={onInsertInline} onClose={onClose} />
      ) : null;
  }
}

function isAddress(name: DialogName): name is AddressName & DialogName {
  return /^(?:anchor|video|music|map|secondMap|frame)$/.test(name);
}

import { RichtextBlock } from '../richtext-view.tsx';
import { ChartDialog } from './chart-dialog.tsx';
import { AnchorDialog } from './dialogs/anchor-dialog.tsx';
import { BackgroundDialog } from './dialogs/background-dialog.tsx';
import { CellDialog } from './dialogs/cell-dialog.tsx';
import { HelpDialog } from './dialogs/help-dialog.tsx';
import { LinkDialog } from './dialogs/link-dialog.tsx';
import { SearchDialog } from './dialogs/search-dialog.tsx';
import { SourceDialog } from './dialogs/source-dialog.tsx';
import { SpecialDialog } from './dialogs/special-dialog.tsx';
import { TableDialog } from './dialogs/table-dialog.tsx';
import { MEDIA_DIALOGS } from './media/media-dialogs.tsx';
import type { MediaDialogName, MediaDialogProps } from './media/media-types.ts';
import { FullScreenDialog } from './full-screen-dialog.tsx';
import type { DialogName } from './tools.ts';

interface EditorDialogProps extends MediaDialogProps {
  readonly name: DialogName;
  /** The document as it would be stored now. */
  readonly document: string;
}

/** The dialog of a tool. Each works where the caret was. */
export function EditorDialog(props: EditorDialogProps) {
  const { name, editor, upload, document, onInsertInline, onClose } = props;
  if (isMedia(name)) {
    const MediaDialog = MEDIA_DIALOGS[name];
    return <MediaDialog {...props} />;
  }
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
      return <BackgroundDialog editor={editor} upload={upload} onClose={onClose} />;
    case 'anchor':
      return <AnchorDialog editor={editor} onInsert={onInsertInline} onClose={onClose} />;
    case 'clear':
      return null;
  }
}

function isMedia(name: DialogName): name is MediaDialogName & DialogName {
  return name in MEDIA_DIALOGS;
}

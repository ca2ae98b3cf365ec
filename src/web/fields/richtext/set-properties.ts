import { type IDomEditor, type SlateElement, type SlateNode, SlateTransforms } from '@wangeditor/editor';

/** Where and on which nodes; the same as the core's own options. */
type Options = Parameters<typeof SlateTransforms.setNodes>[2];

/** Sets properties that the modules here add to the core's nodes, which its types know nothing of. */
export function setProperties(
  editor: IDomEditor,
  properties: Readonly<Record<string, unknown>>,
  options?: Options,
): void {
  SlateTransforms.setNodes<SlateNode>(
    editor,
    Object.assign<Partial<SlateElement>, object>({}, properties),
    options,
  );
}

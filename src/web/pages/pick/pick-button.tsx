import { SelectOutlined } from '@ant-design/icons';
import { useState } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import { GridButton } from '#web/fields/grid/grid-toolbar.tsx';
import { useFormPlace } from '../form/form-context.ts';
import { PickDialog } from './pick-dialog.tsx';

interface PickButtonProps {
  /** The list into which lines are picked. */
  readonly field: Field;
  readonly columns: readonly Field[];
  readonly totals: ReadonlySet<string>;
}

/** 选取: opens the open lines of other documents. */
export function PickButton(props: PickButtonProps) {
  const { store } = useFormPlace();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GridButton icon={<SelectOutlined />} title="从其他单据选取" onClick={() => setOpen(true)}>
        选取
      </GridButton>
      {isOpen && <PickDialog {...props} store={store} onClose={() => setOpen(false)} />}
    </>
  );
}

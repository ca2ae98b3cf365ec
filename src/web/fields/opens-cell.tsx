import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { isFilterShape } from '#engine/fields/json.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { scalarText } from './field-text.ts';

/** A cell that leads to the list which its line names: of a check, to what failed it. Nothing to open is plain text. */
export function OpensCell({ column, line }: { readonly column: Field; readonly line: ErpRecord }) {
  const openRecord = useOpenRecord();
  const value = line[column.name];
  const text = scalarText(value);
  const resource = line[column.opens?.resource ?? ''];
  const where = line[column.opens?.where ?? ''];
  const isOpen = typeof resource === 'string' && openRecord.listOf(resource) !== null && isFilterShape(where);
  if (!isOpen || text === '' || value === 0) return <>{text}</>;
  return (
    <button
      type="button"
      className="cell-link"
      title="打开这些单据"
      onClick={() => openRecord.list(resource, where)}
    >
      {text}
    </button>
  );
}

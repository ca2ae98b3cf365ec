import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { labelsOf, labelText } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';

/** With whom a document is, beside its number. */
export function HeadParties({
  parties,
  record,
}: {
  readonly parties: readonly Field[];
  readonly record: ErpRecord;
}) {
  const openRecord = useOpenRecord();
  const labels = labelsOf(record);
  if (parties.length === 0) return null;
  return (
    <span className="details-parties">
      {parties.map((field) => {
        const { Cell } = FIELD_VIEWS[field.type];
        return (
          <span key={field.name} title={`${field.title}：${labelText(labels[field.name])}`}>
            <Cell
              field={field}
              value={record[field.name]}
              label={labels[field.name]}
              onOpen={openRecord.byResource}
            />
          </span>
        );
      })}
    </span>
  );
}

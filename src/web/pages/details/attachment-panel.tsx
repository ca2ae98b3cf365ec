import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';

/** All files of a record, by the field they belong to, with previews of images and PDF. */
export function AttachmentPanel({
  resource,
  record,
}: {
  readonly resource: Resource;
  readonly record: ErpRecord;
}) {
  const { Detail } = FIELD_VIEWS.attachment;
  const fields = Object.values(resource.fields).filter(
    (field) =>
      field.type === 'attachment' && Array.isArray(record[field.name]) && record[field.name] !== null,
  );
  const filled = fields.filter((field) => {
    const value = record[field.name];
    return Array.isArray(value) && value.length > 0;
  });
  if (filled.length === 0) return null;
  return (
    <section className="details-section">
      <h2>附件</h2>
      {filled.map((field) => (
        <div key={field.name} className="attachment-group">
          <h3>{field.title}</h3>
          <Detail field={field} value={record[field.name]} />
        </div>
      ))}
    </section>
  );
}

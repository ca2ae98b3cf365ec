import { memo } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { controlId, useAwaited, useCurrency, useField, useFormPlace } from './form-context.ts';
import { isUnwritten } from './drawn-section.ts';
import { CLOSED_REASON } from './form-rules.ts';
import { FieldHelp } from './field-help.tsx';

interface FormFieldProps {
  readonly field: Field;
}

const WIDE_TYPES: ReadonlySet<string> = new Set(['textarea', 'richtext', 'json', 'attachment', 'lines']);
const PLAIN_REASONS: ReadonlySet<string> = new Set(['由系统写入', '只读', CLOSED_REASON]);

/** One field of a form: title, control, what is wrong with it in plain words beside it, and why it is as it is. */
export const FormField = memo(function FormField({ field }: FormFieldProps) {
  const { store, formId, recordId } = useFormPlace();
  const snapshot = useField(field.name);
  const currency = useCurrency(field);
  const awaited = useAwaited(field);
  if (snapshot.isHidden || isUnwritten(field, snapshot.value)) return null;
  const { Control } = FIELD_VIEWS[field.type];
  const id = controlId(formId, field.name);
  const why = snapshot.isReadOnly ? snapshot.reason : snapshot.requiredReason;
  return (
    <div className={WIDE_TYPES.has(field.type) ? 'form-field is-wide' : 'form-field'} data-field={field.name}>
      <label className="form-label" htmlFor={id} title={field.title}>
        {snapshot.isRequired && (
          <span className="form-required" aria-hidden>
            *
          </span>
        )}
        {field.title}
        <FieldHelp field={field} why={why !== null && !PLAIN_REASONS.has(why) ? why : null} />
      </label>
      <div className="form-control">
        <Control
          field={field}
          id={id}
          value={snapshot.value}
          label={snapshot.label}
          currency={currency}
          isDisabled={snapshot.isReadOnly}
          isInvalid={snapshot.problem !== null && !snapshot.isWarning}
          describedBy={snapshot.problem === null ? undefined : `${id}-problem`}
          recordId={recordId}
          place={{
            resource: store.resource.resource,
            path: field.name,
            readRecord: () => store.record(),
            awaits: () => awaited,
          }}
          onChange={(value, picked) => store.set(field.name, value, picked)}
          onBlur={() => store.checkField(field.name)}
        />
        {snapshot.problem !== null && (
          <div
            id={`${id}-problem`}
            className={snapshot.isWarning ? 'form-problem is-warning' : 'form-problem'}
            role="alert"
          >
            {withoutTitle(snapshot.problem, field.title)}
          </div>
        )}
        {field.hint !== undefined && <div className="field-hint">{field.hint}</div>}
      </div>
    </div>
  );
});

/** Beside its field a message need not name it. */
function withoutTitle(problem: string, title: string): string {
  return problem.startsWith(`${title}：`) ? problem.slice(title.length + 1) : problem;
}

import { Alert, Button, Select } from 'antd';
import { useOpenRecord } from '#web/data/open-record.ts';
import type { FormSource } from '#web/data/form-source.ts';
import type { FormOriginTold } from './use-filled-form.ts';

interface FormOriginProps {
  readonly from: FormOriginTold;
  readonly madeFrom: FormSource | null;
  readonly isNew: boolean;
  readonly onChoice: ((source: FormSource) => void) | undefined;
}

/** What a form was filled from, named and linked; of several documents which one it is. */
export function FormOrigin({ from, madeFrom, isNew, onChoice }: FormOriginProps) {
  const open = useOpenRecord();
  const current = from.choices.findIndex(({ line, per }) => isChosen(madeFrom, line, per));
  return (
    <div className="form-origin" role="note" aria-label="来源">
      <span>
        由{from.title}
        {from.records.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            className="cell-link"
            onClick={() => open.byResource(from.resource, id)}
          >
            {label === '' ? '查看' : label}
          </button>
        ))}
        生成{isNew && '，保存后才成立'}
      </span>
      {isNew && madeFrom !== null && from.choices.length > 1 && (
        <Select
          size="small"
          aria-label="生成哪一份"
          value={Math.max(0, current)}
          options={from.choices.map(({ label }, index) => ({ value: index, label }))}
          popupMatchSelectWidth={false}
          onChange={(index: number) => {
            const { line, per } = from.choices[index] ?? { line: null, per: null };
            const { resource, id, make } = madeFrom;
            onChoice?.({
              resource,
              id,
              make,
              ...(line === null ? {} : { line }),
              ...(per === null ? {} : { per }),
            });
          }}
        />
      )}
    </div>
  );
}

/** Only one document is made of a source: it is there already. */
export function MadeBefore({ from, target }: { readonly from: FormOriginTold; readonly target: string }) {
  const open = useOpenRecord();
  const { existing } = from;
  const id = existing?.id ?? null;
  return (
    <Alert
      type="info"
      showIcon
      message={`已由此${from.title}生成${target}${existing?.label ?? ''}，不能重复生成`}
      action={
        id === null ? undefined : (
          <Button size="small" onClick={() => open.byResource(existing?.resource ?? '', id)}>
            打开
          </Button>
        )
      }
    />
  );
}

function isChosen(madeFrom: FormSource | null, line: string | null, per: string | null): boolean {
  return (madeFrom?.line ?? null) === line && (madeFrom?.per ?? null) === per;
}

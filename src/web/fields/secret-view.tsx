import { Input } from 'antd';
import type { ControlProps, FieldView } from './field-view.ts';

/** Write-only: what is stored never comes back, an empty box keeps it. */
function SecretControl(props: ControlProps) {
  return (
    <Input.Password
      id={props.id}
      autoComplete="new-password"
      placeholder={props.recordId === undefined && props.isCell !== true ? '' : '留空则不修改'}
      value={typeof props.value === 'string' ? props.value : ''}
      onChange={(event) => props.onChange(event.target.value === '' ? undefined : event.target.value)}
      onBlur={props.onBlur}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
    />
  );
}

function SecretText() {
  return <span className="field-empty">不显示</span>;
}

function NoFilter() {
  return null;
}

export const SECRET_VIEW: FieldView = {
  Control: SecretControl,
  Cell: () => '',
  Detail: SecretText,
  FilterControl: NoFilter,
};

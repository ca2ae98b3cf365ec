import { Select } from 'antd';
import { type ComponentType, useState } from 'react';
import type { ControlProps } from './field-view.ts';
import { useNamedChoices } from './use-named-choices.ts';

interface ParameterControlProps extends ControlProps {
  /** What stands here while the parameter has no list of values. */
  readonly Typed: ComponentType<ControlProps>;
}

/** The value of a parameter: picked by its name where the parameter has a list, typed where it has none. */
export function ParameterControl({ Typed, ...props }: ParameterControlProps) {
  const choices = useNamedChoices(props.place);
  // Which parameter it is may have been told since this was drawn.
  const [isEntered, setEntered] = useState(false);
  if (choices.length === 0)
    return (
      <div onFocus={() => setEntered(true)} onBlur={() => setEntered(false)}>
        <Typed {...props} />
      </div>
    );
  return (
    <Select
      {...(props.id === undefined ? {} : { id: props.id })}
      autoFocus={isEntered}
      value={props.value ?? null}
      options={choices.map(({ value, label }) => ({ value, label }))}
      placeholder="请选择"
      onChange={(next: unknown) => props.onChange(next)}
      onBlur={() => props.onBlur?.()}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      aria-describedby={props.describedBy}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
      style={{ width: '100%' }}
    />
  );
}

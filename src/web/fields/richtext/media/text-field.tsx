import { Input } from 'antd';
import { useState } from 'react';
import { Row } from './box-fields.tsx';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly problem: string | null;
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
}

/** A field of one line and what is wrong with it. */
export function TextField({ label, value, placeholder = '', problem, isFirst, onChange }: TextFieldProps) {
  return (
    <>
      <Row label={label}>
        <Input
          autoFocus={isFirst === true}
          aria-label={label}
          placeholder={placeholder}
          maxLength={2000}
          value={value}
          status={problem === null ? '' : 'error'}
          onChange={(event) => onChange(event.target.value)}
        />
      </Row>
      <div role="alert" className="media-problem media-problem-row">
        {problem}
      </div>
    </>
  );
}

/** Text and its fault; a change takes the fault away. */
export function useText(start = '') {
  const [value, setValue] = useState(start);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    value,
    problem,
    setProblem,
    onChange: (text: string): void => {
      setValue(text);
      setProblem(null);
    },
  };
}

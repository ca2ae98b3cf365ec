import { Button } from 'antd';

interface PanelSwitchProps {
  /** What stands in the panel: 审核流程. */
  readonly what: string;
  readonly className: string;
  readonly isShut: boolean;
  readonly onShut: (next: boolean) => void;
}

/** Shuts a panel beside a document, and opens it again. */
export function PanelSwitch({ what, className, isShut, onShut }: PanelSwitchProps) {
  return (
    <Button
      type="text"
      size="small"
      className={className}
      aria-expanded={!isShut}
      onClick={() => onShut(!isShut)}
    >
      {`${isShut ? '展开' : '收起'}${what}`}
    </Button>
  );
}

import { Button } from 'antd';

interface NewsBarProps {
  readonly text: string;
  readonly onReload: () => void;
}

/** Says quietly that what is shown has changed since; nothing moves until somebody asks for it. */
export function NewsBar({ text, onReload }: NewsBarProps) {
  return (
    <div className="news-bar" role="status">
      {text}
      <Button type="link" size="small" onClick={onReload}>
        刷新
      </Button>
    </div>
  );
}

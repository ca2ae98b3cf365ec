import { Alert, Button } from 'antd';
import { Component, type ReactNode } from 'react';
import { ChunkFault } from '#web/faults/load-chunk.ts';

interface LoadGuardProps {
  /** What is being loaded, for the message. */
  readonly what: string;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** Says which file of a part did not come (spec section 8), in the place of the part; the page around it goes on. */
export class LoadGuard extends Component<LoadGuardProps, { readonly fault: string | null }> {
  override state: { readonly fault: string | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { readonly fault: string } {
    const cause = error instanceof ChunkFault ? error.cause : error;
    const address = /https?:\/\/\S+/.exec(cause instanceof Error ? cause.message : '')?.[0] ?? '';
    return { fault: address === '' ? '' : new URL(address).pathname };
  }

  override render(): ReactNode {
    const { what, onRetry, children } = this.props;
    const { fault } = this.state;
    if (fault === null) return children;
    return (
      <Alert
        type="error"
        showIcon
        message={`${what}没有加载出来${fault === '' ? '' : `：${fault}`}，请检查网络和地址后重试；已填写的内容不会丢失`}
        action={
          <Button
            size="small"
            onClick={() => {
              this.setState({ fault: null });
              onRetry();
            }}
          >
            重试
          </Button>
        }
      />
    );
  }
}

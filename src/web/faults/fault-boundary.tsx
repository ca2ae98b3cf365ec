import { Component, type ReactNode } from 'react';
import { recordClientError } from '#web/data/client-errors.ts';
import { FaultView } from './fault-view.tsx';
import { forgetFailedParts } from './lazy-part.tsx';

export interface FaultBoundaryProps {
  /** What stands inside, as the message names it: 页面, 菜单. */
  readonly what: string;
  /** One line instead of a whole page. */
  readonly isSmall?: boolean;
  readonly children: ReactNode;
}

/** Whatever fails inside stays inside: it is said in its place, noted with the client errors, and can be tried again. */
export class FaultBoundary extends Component<FaultBoundaryProps, { readonly fault: unknown }> {
  override state: { readonly fault: unknown } = { fault: null };

  static getDerivedStateFromError(fault: unknown): { readonly fault: unknown } {
    return { fault: fault ?? new TypeError('nothing was thrown') };
  }

  override componentDidCatch(fault: unknown): void {
    noteFault(fault);
  }

  override render(): ReactNode {
    const { what, isSmall = false, children } = this.props;
    const { fault } = this.state;
    if (fault === null) return children;
    const retry = () => {
      forgetFailedParts();
      this.setState({ fault: null });
    };
    return <FaultView what={what} isSmall={isSmall} fault={fault} onRetry={retry} />;
  }
}

/** Keeps a fault of the pages with the person's client errors. */
export function noteFault(fault: unknown): void {
  const message = fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault);
  recordClientError({ path: '页面', code: 0, message, requestId: null });
}

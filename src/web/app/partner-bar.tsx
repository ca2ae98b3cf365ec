import { useState } from 'react';
import type { MenuEntry } from '#contract/shape.ts';
import { useIsPhone } from '#web/pages/table/use-is-phone.ts';
import { ThumbBar, type ThumbBarProps } from './thumb-bar.tsx';

interface PartnerBarProps extends Pick<ThumbBarProps, 'menu' | 'address' | 'onOpen'> {
  /** Of the person who is signed in. */
  readonly kind: string;
}

/** Customers keep on every page the bar that their home page has; wider windows have the menu beside the page. */
export function PartnerBar({ kind, ...bar }: PartnerBarProps) {
  const [group, setGroup] = useState<MenuEntry | null>(null);
  const isPhone = useIsPhone();
  if (kind !== 'partner' || !isPhone) return null;
  return <ThumbBar {...bar} group={group} onGroup={setGroup} />;
}

import { Activity, useCallback, useMemo } from 'react';
import { Route, Routes } from 'react-router-dom';
import { FieldServicesProvider } from '#web/fields/field-services-provider.tsx';
import { PageView } from './page-view.tsx';
import { TabContext, type TabHandle } from './tab-context.ts';
import type { OpenTab } from './tab-store.ts';

export interface TabPaneProps {
  readonly tab: OpenTab;
  readonly isActive: boolean;
  readonly onChange: (part: Partial<OpenTab>) => void;
  readonly onClose: () => void;
  readonly onOpen: (address: string) => void;
  readonly onReplace: (address: string) => void;
}

/** One living page: its own address, its own scroll box; hidden ones keep what was typed. */
export function TabPane({ tab, isActive, onChange, onClose, onOpen, onReplace }: TabPaneProps) {
  const setTitle = useCallback((title: string) => onChange({ title }), [onChange]);
  const setDirty = useCallback((isDirty: boolean) => onChange({ isDirty }), [onChange]);
  const handle = useMemo<TabHandle>(
    () => ({
      id: tab.key,
      isActive,
      refreshKey: tab.refreshKey,
      setTitle,
      setDirty,
      close: onClose,
      openTab: (address) => onOpen(address),
      replace: onReplace,
    }),
    [tab.key, tab.refreshKey, isActive, setTitle, setDirty, onClose, onOpen, onReplace],
  );
  const [path = ''] = tab.address.split('?');
  return (
    <Activity mode={isActive ? 'visible' : 'hidden'}>
      <div className="pane" data-tab={tab.key} style={isActive ? undefined : { display: 'none' }}>
        <TabContext value={handle}>
          <FieldServicesProvider>
            <Routes location={tab.address}>
              <Route path="*" element={<PageView path={path} />} />
            </Routes>
          </FieldServicesProvider>
        </TabContext>
      </div>
    </Activity>
  );
}

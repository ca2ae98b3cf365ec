import { Activity, memo, useCallback, useMemo, useRef } from 'react';
import { Route, Routes } from 'react-router-dom';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { FieldServicesProvider } from '#web/fields/field-services-provider.tsx';
import { PageView } from './page-view.tsx';
import { TabContext, type TabHandle } from './tab-context.ts';
import { type OpenTab, type Unsaved, unsavedIn } from './tab-store.ts';

/** What a pane may ask of the layout; the functions stay the same over renders. */
export interface PaneActions {
  readonly change: (key: string, part: Partial<OpenTab>) => void;
  readonly close: (key: string) => void;
  readonly open: (address: string, title?: string) => void;
  readonly replace: (key: string, address: string) => void;
}

export interface TabPaneProps {
  readonly tab: OpenTab;
  /** As the tab bar names it. */
  readonly title: string;
  readonly isActive: boolean;
  readonly actions: PaneActions;
}

/** The form of an edit page among the parts of a page that mark it. */
const FORM = 'form';

/** One living page: its own address, its own scroll box; hidden ones keep what was typed. */
export const TabPane = memo(function TabPane({ tab, title, isActive, actions }: TabPaneProps) {
  const { key, refreshKey } = tab;
  const setTitle = useCallback((title: string) => actions.change(key, { title }), [actions, key]);
  const isShown = useRef(isActive);
  isShown.current = isActive;
  const unsaved = useRef(new Map<string, Unsaved>());
  const mark = useCallback(
    (source: string, work: Unsaved | null) => {
      if (work === null) unsaved.current.delete(source);
      else unsaved.current.set(source, work);
      actions.change(key, unsavedIn(unsaved.current));
    },
    [actions, key],
  );
  const setDirty = useCallback((isDirty: boolean) => mark(FORM, isDirty ? 'kept' : null), [mark]);
  const holdUnsaved = useCallback(
    (source: string, work: Unsaved | null) => {
      mark(source, work);
      // A page that goes behind another ends its effects too: its work is as unsaved as before.
      return () => {
        if (isShown.current) mark(source, null);
      };
    },
    [mark],
  );
  const handle = useMemo<TabHandle>(
    () => ({
      id: key,
      isActive,
      refreshKey,
      setTitle,
      setDirty,
      holdUnsaved,
      close: () => actions.close(key),
      openTab: (address, options) => actions.open(address, options?.title),
      replace: (address) => actions.replace(key, address),
      goOn: (address) => (unsaved.current.size > 0 ? actions.open(address) : actions.replace(key, address)),
    }),
    [key, refreshKey, isActive, setTitle, setDirty, holdUnsaved, actions],
  );
  return (
    <Activity mode={isActive ? 'visible' : 'hidden'}>
      <div className="pane" data-tab={tab.key} style={isActive ? undefined : { display: 'none' }}>
        <TabContext value={handle}>
          {/* A page that shows its title has it as its heading: this one is not there then. */}
          <h1 className="pane-title">{title}</h1>
          <FaultBoundary what="页面">
            <FieldServicesProvider>
              <Routes location={tab.address}>
                <Route path="*" element={<PageView address={tab.address} />} />
              </Routes>
            </FieldServicesProvider>
          </FaultBoundary>
        </TabContext>
      </div>
    </Activity>
  );
});

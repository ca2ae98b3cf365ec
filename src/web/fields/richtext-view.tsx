import { Spin } from 'antd';
import DOMPurify from 'dompurify';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { finishElement, RICHTEXT_POLICY } from '#engine/fields/richtext-policy.ts';
import { loadChunk } from '#web/faults/load-chunk.ts';
import { useTableCharts } from './charts/use-table-charts.tsx';
import type { ControlProps, FieldView, ShowProps } from './field-view.ts';
import { LoadGuard } from './load-guard.tsx';
import { showBackground, splitBackground } from './richtext-background.ts';
import { fileAddress, saveAttachment, showFiles, withoutFileAddresses } from './richtext-files.ts';
import { TextCell } from './show-text.tsx';
import { TEXT_VIEW } from './text-view.tsx';
import './fields.css';

/** The editor weighs 200 kB: it is loaded when a form shows one. */
function loadEditor() {
  return lazy(async () => {
    const { RichtextControl: Control } = await loadChunk(() => import('./richtext/richtext-control.tsx'));
    return { default: Control };
  });
}

function RichtextControl(props: ControlProps) {
  const [{ Editor }, setLoaded] = useState(() => ({ Editor: loadEditor() }));
  if (props.isDisabled === true) return <RichtextDetail field={props.field} value={props.value} />;
  return (
    // A lazy component remembers that it failed: another try needs another one.
    <LoadGuard what="编辑器" onRetry={() => setLoaded({ Editor: loadEditor() })}>
      <Suspense fallback={<Spin />}>
        <Editor {...props} />
      </Suspense>
    </LoadGuard>
  );
}

DOMPurify.addHook('afterSanitizeAttributes', finishElement);

/** HTML that is safe to show, by the same policy as the server's: scripts, handlers and foreign frames are taken out. */
export function cleanHtml(html: string): string {
  return DOMPurify.sanitize(html, RICHTEXT_POLICY);
}

function RichtextDetail({ value }: ShowProps) {
  const html = useMemo(() => (typeof value === 'string' ? cleanHtml(value) : ''), [value]);
  if (html === '') return <span className="field-empty">—</span>;
  return <RichtextBlock html={html} />;
}

/** Shows sanitised rich text, with its own images and attachments. */
export function RichtextBlock({ html }: { readonly html: string }) {
  const block = useRef<HTMLDivElement>(null);
  const { background, shown } = useMemo(() => {
    const parts = splitBackground(cleanHtml(html));
    return { background: parts.background, shown: { __html: withoutFileAddresses(parts.html) } };
  }, [html]);
  useEffect(() => {
    if (block.current === null) return;
    showFiles(block.current);
    showBackground(block.current, background, fileAddress);
  }, [shown, background]);
  const charts = useTableCharts(block, shown);
  return (
    <>
      <div
        ref={block}
        className="richtext"
        role="presentation"
        onClick={(event) => {
          if (saveAttachment(event.target)) event.preventDefault();
        }}
        dangerouslySetInnerHTML={shown}
      />
      {charts}
    </>
  );
}

export const RICHTEXT_VIEW: FieldView = {
  Control: RichtextControl,
  Cell: TextCell,
  Detail: RichtextDetail,
  FilterControl: TEXT_VIEW.FilterControl,
};

import {
  type ClipboardEvent,
  type DragEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { companyTime } from '#engine/values/dates.ts';
import { OutsideCard, OutsideNote } from '#web/features/outside/outside-card.tsx';
import { faultText } from '#web/data/show-fault.ts';
import type { UploadPlace } from '#contract/upload-links.ts';
import { type ImageItem, loadPlace, UploadStore } from './upload-store.ts';
import './invoice-images.css';

/** Formats that phones convert to when they are named. */
const ACCEPTED = 'image/jpeg,image/png,image/webp';

/** Upload of invoice images for the application that the address names (spec section 2.7). */
export function InvoiceImagesPage() {
  const applyId = new URLSearchParams(location.search).get('id') ?? '';
  const [place, setPlace] = useState<UploadPlace | null>(null);
  const [store, setStore] = useState<UploadStore | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    loadPlace(applyId).then(
      (found) => {
        setPlace(found);
        setStore(new UploadStore(applyId, found));
      },
      (error: unknown) => setFault(faultText(error, '页面没有加载，请刷新')),
    );
  }, [applyId]);
  return (
    <OutsideCard title="发票影像上传" width="roomy">
      {fault !== null && <OutsideNote kind="fault">{fault}</OutsideNote>}
      {fault === null && place === null && <p className="images-hint">正在加载…</p>}
      {place !== null && store !== null && <Uploads place={place} store={store} />}
    </OutsideCard>
  );
}

function Uploads({ place, store }: { readonly place: UploadPlace; readonly store: UploadStore }) {
  const items = useSyncExternalStore(store.subscribe, store.items);
  const input = useRef<HTMLInputElement>(null);
  const done = items.filter(({ state }) => state === 'done').length;
  const isRunning = items.some(({ state }) => state !== 'done' && state !== 'failed');
  useLeaveQuestion(isRunning);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    store.add([...event.dataTransfer.files]);
  };
  const paste = (event: ClipboardEvent) => store.add([...event.clipboardData.files]);
  return (
    <div onDragOver={(event) => event.preventDefault()} onDrop={drop} onPaste={paste}>
      <p className="images-place">
        {place.company !== '' && <span>{place.company}</span>}
        <strong>{place.title}</strong>
        <small>链接有效至 {companyTime(place.expiresAt)}</small>
      </p>
      <button type="button" className="images-choose" onClick={() => input.current?.click()}>
        <strong>选择图片</strong>
        <span>可一次选多张，也可拖入或粘贴；JPEG、PNG、WebP，每张20M以内</span>
      </button>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        multiple
        hidden
        aria-label="选择图片"
        onChange={(event) => {
          store.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <ul className="images-list" aria-label="图片">
        {items.map((item) => (
          <ImageRow key={item.key} item={item} store={store} />
        ))}
      </ul>
      {items.length > 0 && !isRunning && (
        <OutsideNote kind={items.some(({ state }) => state === 'failed') ? 'note' : 'done'}>
          {items.some(({ state }) => state === 'failed')
            ? `已上传 ${done} 张，有 ${items.length - done} 张没有上传，请查看说明。`
            : `上传成功，共 ${done} 张。可以关闭页面，或继续添加。`}
        </OutsideNote>
      )}
    </div>
  );
}

function ImageRow({ item, store }: { readonly item: ImageItem; readonly store: UploadStore }) {
  const [isShown, setShown] = useState(false);
  const percent = Math.round(item.fraction * 100);
  return (
    <li className={`images-item is-${item.state}`}>
      {item.preview === null ? (
        <span className="images-thumb" aria-hidden="true">
          图片
        </span>
      ) : (
        <button
          type="button"
          className="images-thumb"
          aria-label={`预览 ${item.name}`}
          onClick={() => setShown(true)}
        >
          <img src={item.preview} alt="" />
        </button>
      )}
      <div className="images-text">
        <span className="images-name">{item.name}</span>
        {item.state === 'sending' && (
          <progress max={100} value={percent} aria-label={`${item.name} 上传进度`}>
            {percent}%
          </progress>
        )}
        <small role={item.fault === null ? undefined : 'alert'}>
          {item.fault ?? stateText(item, percent)}
        </small>
      </div>
      {item.state === 'failed' && item.mayRetry && (
        <button type="button" className="images-button" onClick={() => store.retry(item.key)}>
          重试
        </button>
      )}
      <button
        type="button"
        className="images-button"
        aria-label={`${item.state === 'sending' ? '取消' : '移除'} ${item.name}`}
        disabled={item.state === 'leaving'}
        onClick={() => void store.remove(item.key)}
      >
        {item.state === 'sending' ? '取消' : '移除'}
      </button>
      {isShown && item.preview !== null && (
        <Preview src={item.preview} name={item.name} onClose={() => setShown(false)} />
      )}
    </li>
  );
}

function stateText({ state, size }: ImageItem, percent: number): string {
  const shown = size < 1024 * 1024 ? `${Math.ceil(size / 1024)} KB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
  if (state === 'waiting') return `${shown}，等待上传`;
  if (state === 'leaving') return '正在移除…';
  if (state === 'sending') return percent === 100 ? '正在处理…' : `${shown}，已上传 ${percent}%`;
  return `${shown}，上传成功`;
}

function Preview(props: { readonly src: string; readonly name: string; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="images-preview" aria-label={props.name} onClose={props.onClose}>
      <img src={props.src} alt={props.name} />
      <button type="button" className="images-button" onClick={() => dialog.current?.close()}>
        关闭
      </button>
    </dialog>
  );
}

/** The browser asks before it leaves running uploads. */
function useLeaveQuestion(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isRunning]);
}

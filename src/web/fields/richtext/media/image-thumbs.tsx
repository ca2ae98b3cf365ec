import { CloseOutlined, LeftOutlined, ReloadOutlined, RightOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { isPicture } from '#engine/fields/picture.ts';
import { type PictureSize, sizeOf, useFileAddress } from './own-picture.tsx';
import type { UploadItem, UploadQueue } from './upload-queue.ts';

interface ImageThumbsProps {
  readonly queue: UploadQueue;
  readonly items: readonly UploadItem[];
  readonly onSize: (key: number, size: PictureSize) => void;
}

/** The pictures that were chosen, in the order in which they will stand. */
export function ImageThumbs({ queue, items, onSize }: ImageThumbsProps) {
  return (
    <ul className="media-thumbs" aria-label="已选图片">
      {items.map((item, index) => (
        <Thumb
          key={item.key}
          item={item}
          queue={queue}
          isFirst={index === 0}
          isLast={index === items.length - 1}
          onSize={onSize}
        />
      ))}
    </ul>
  );
}

interface ThumbProps {
  readonly item: UploadItem;
  readonly queue: UploadQueue;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onSize: (key: number, size: PictureSize) => void;
}

function Thumb({ item, queue, isFirst, isLast, onSize }: ThumbProps) {
  const { key, file, state, fault } = item;
  const address = useFileAddress(isPicture(file.type) ? file : null);
  return (
    <li className={`media-thumb media-thumb-${state}`} title={file.name}>
      {address !== null && <img src={address} alt="" onLoad={(event) => onSize(key, sizeOf(event))} />}
      <div className="media-thumb-state" role="status">
        {state === 'failed' ? (
          <span className="media-problem">{fault}</span>
        ) : state === 'done' ? null : (
          <Progress
            percent={Math.round(item.fraction * 100)}
            size="small"
            showInfo={false}
            aria-label="上传进度"
          />
        )}
      </div>
      <div className="media-thumb-name">{file.name}</div>
      <div className="media-thumb-tools">
        <Button
          size="small"
          type="text"
          icon={<LeftOutlined />}
          aria-label={`前移${file.name}`}
          disabled={isFirst}
          onClick={() => queue.move(key, -1)}
        />
        <Button
          size="small"
          type="text"
          icon={<RightOutlined />}
          aria-label={`后移${file.name}`}
          disabled={isLast}
          onClick={() => queue.move(key, 1)}
        />
        {item.mayRetry && state === 'failed' && (
          <Button
            size="small"
            type="text"
            icon={<ReloadOutlined />}
            aria-label={`重试${file.name}`}
            onClick={() => queue.retry(key)}
          />
        )}
        <Button
          size="small"
          type="text"
          icon={<CloseOutlined />}
          aria-label={`移除${file.name}`}
          onClick={() => queue.remove(key)}
        />
      </div>
    </li>
  );
}

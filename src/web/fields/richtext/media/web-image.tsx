import { Input } from 'antd';
import { useState } from 'react';
import { Row } from './box-fields.tsx';
import { OwnPicture, type PictureSize } from './own-picture.tsx';

/** A picture of the web and the product's copy of it. */
interface WebPicture {
  readonly address: string;
  /** The file's name in the address. */
  readonly name: string;
  readonly isFetching: boolean;
  readonly problem: string | null;
  /** The product's copy; null before it is fetched. */
  readonly own: string | null;
  readonly size: PictureSize | null;
  readonly fetch: () => Promise<void>;
  readonly setAddress: (address: string) => void;
  readonly setSize: (size: PictureSize) => void;
}

/** Fetches by the server, so that the picture stays when the other site goes. */
export function useWebImage(capture: (address: string) => Promise<string>): WebPicture {
  const [address, setAddress] = useState('');
  const [isFetching, setFetching] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [own, setOwn] = useState<string | null>(null);
  const [size, setSize] = useState<PictureSize | null>(null);
  const fetch = async (): Promise<void> => {
    if (!/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(address.trim())) {
      setProblem('请输入以 http:// 或 https:// 开头的图片地址');
      return;
    }
    setFetching(true);
    setProblem(null);
    try {
      setOwn(await capture(address.trim()));
    } catch (error) {
      setProblem(error instanceof Error && error.message !== '' ? error.message : '图片没有取到，请检查地址');
    }
    setFetching(false);
  };
  return {
    address,
    name: nameOf(address),
    isFetching,
    problem,
    own,
    size,
    fetch,
    setSize,
    setAddress: (text) => {
      setAddress(text);
      setOwn(null);
      setSize(null);
      setProblem(null);
    },
  };
}

function nameOf(address: string): string {
  const last = address.split(/[?#]/)[0]?.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The address and what came of it. */
export function WebImage({ image }: { readonly image: WebPicture }) {
  return (
    <>
      <Row label="图片地址">
        <Input
          autoFocus
          aria-label="图片地址"
          placeholder="https://"
          value={image.address}
          disabled={image.isFetching}
          status={image.problem === null ? '' : 'error'}
          onChange={(event) => image.setAddress(event.target.value)}
        />
      </Row>
      <div role="alert" className="media-problem media-under-field">
        {image.problem}
      </div>
      <div className="media-stage">
        {image.own === null ? (
          <span className="field-hint">图片由服务器取回并保存，原网站删除后仍能显示</span>
        ) : (
          <OwnPicture address={image.own} alt={image.name} onSize={image.setSize} />
        )}
      </div>
    </>
  );
}

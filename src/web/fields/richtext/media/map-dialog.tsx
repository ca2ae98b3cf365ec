import { Checkbox } from 'antd';
import { useState } from 'react';
import { Row } from './box-fields.tsx';
import { FRAME_LAYOUT, FrameFields } from './frame-dialog.tsx';
import { framedHtml, openLinkHtml } from './frame-html.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { TextField, useText } from './text-field.tsx';

interface MapKind {
  readonly title: string;
  readonly address: (place: string, city: string) => string;
}

/** The documented address interface of each map, which needs no key. */
const BAIDU: MapKind = {
  title: '百度地图',
  address: (place, city) =>
    `https://api.map.baidu.com/place/search?query=${encodeURIComponent(place)}&region=${encodeURIComponent(city === '' ? '全国' : city)}&output=html&src=webapp.trade.erp`,
};

const GAODE: MapKind = {
  title: '高德地图',
  address: (place, city) =>
    `https://uri.amap.com/search?keyword=${encodeURIComponent(place)}${city === '' ? '' : `&city=${encodeURIComponent(city)}`}&view=map&src=trade-erp&callnative=0`,
};

export function BaiduMapDialog(props: MediaDialogProps) {
  return <MapDialog kind={BAIDU} {...props} />;
}

export function GaodeMapDialog(props: MediaDialogProps) {
  return <MapDialog kind={GAODE} {...props} />;
}

/** A place on a map; the link beside it serves where the map does not come through. */
function MapDialog({ kind, editor, onInsertInline, onClose }: MediaDialogProps & { readonly kind: MapKind }) {
  const place = useText();
  const city = useText();
  const [layout, setLayout] = useState(FRAME_LAYOUT);
  const [hasLink, setLink] = useState(true);
  const insert = (): void => {
    const name = place.value.trim();
    if (name === '') {
      place.setProblem('请输入地点');
      return;
    }
    const address = kind.address(name, city.value.trim());
    const link = hasLink ? openLinkHtml(address, `在${kind.title}中打开：${name}`) : '';
    onInsertInline(`${framedHtml(address, layout)}${link}`);
    onClose();
  };
  return (
    <MediaModal
      editor={editor}
      title={kind.title}
      note="地图由对方网站提供，需要能访问互联网"
      onOk={insert}
      onClose={onClose}
    >
      <TextField isFirst label="地点" placeholder="如：宁波港北仑港区" {...place} />
      <TextField label="城市" placeholder="可不填" {...city} />
      <FrameFields layout={layout} onChange={setLayout} />
      <Row label="链接">
        <Checkbox checked={hasLink} onChange={(event) => setLink(event.target.checked)}>
          同时插入“在地图中打开”的链接
        </Checkbox>
      </Row>
    </MediaModal>
  );
}

/** Sites whose pages may stand inside a document, each by what its users know: a number, an address, a place. */
export interface WebApp {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly label: string;
  readonly placeholder: string;
  /** Address of the page to frame; null for text that is none of it. */
  readonly address: (text: string) => string | null;
  readonly problem: string;
}

export const WEB_APPS: readonly WebApp[] = [
  {
    key: 'bilibili',
    name: '哔哩哔哩',
    about: '播放一段视频',
    label: '视频号或视频网址',
    placeholder: 'BV1xx411c7mD',
    address: (text) => {
      const number = /\b(BV[0-9A-Za-z]{10})\b/.exec(text)?.[1];
      return number === undefined
        ? null
        : `https://player.bilibili.com/player.html?bvid=${number}&autoplay=0`;
    },
    problem: '请输入以 BV 开头的视频号，或含有它的网址',
  },
  {
    key: 'qq',
    name: '腾讯视频',
    about: '播放一段视频',
    label: '视频号或视频网址',
    placeholder: 'https://v.qq.com/x/page/….html',
    address: (text) => {
      const number = /^(?:https:\/\/v\.qq\.com\/\S*\/)?([a-z0-9]{11})(?:\.html)?(?:\?\S*)?$/i.exec(text)?.[1];
      return number === undefined ? null : `https://v.qq.com/txp/iframe/player.html?vid=${number}`;
    },
    problem: '请输入11位的视频号，或视频网页的地址',
  },
  {
    key: 'youku',
    name: '优酷',
    about: '播放一段视频',
    label: '视频号或视频网址',
    placeholder: 'https://v.youku.com/v_show/id_….html',
    address: (text) => {
      const number =
        /^(?:https:\/\/v\.youku\.com\/v_show\/id_)?([A-Za-z0-9]{10,20}={0,2})(?:\.html)?(?:\?\S*)?$/.exec(
          text,
        )?.[1];
      return number === undefined ? null : `https://player.youku.com/embed/${number}`;
    },
    problem: '请输入视频号，或视频网页的地址',
  },
  {
    key: 'osm',
    name: 'OpenStreetMap',
    about: '标出一个位置，可用于境外港口',
    label: '纬度,经度',
    placeholder: '51.9475, 4.1427',
    address: (text) => {
      const [, latitude, longitude] =
        /^(-?\d{1,2}(?:\.\d+)?)\s*[,，]\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(text) ?? [];
      const [lat, lon] = [Number(latitude), Number(longitude)];
      if (latitude === undefined || Math.abs(lat) > 85 || Math.abs(lon) > 180) return null;
      const box = [lon - SPAN, lat - SPAN / 2, lon + SPAN, lat + SPAN / 2].map((side) => side.toFixed(4));
      return `https://www.openstreetmap.org/export/embed.html?bbox=${box.join('%2C')}&layer=mapnik&marker=${lat}%2C${lon}`;
    },
    problem: '请输入纬度和经度，用逗号分开，如 51.9475, 4.1427',
  },
];

/** Half the width of the shown map in degrees. */
const SPAN = 0.05;

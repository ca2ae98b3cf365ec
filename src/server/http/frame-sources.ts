/** Hosts whose pages rich text may frame: maps and videos. The editor and the sanitiser allow the same ones. */
export const FRAME_SOURCES = [
  'https://map.baidu.com',
  'https://api.map.baidu.com',
  'https://www.amap.com',
  'https://uri.amap.com',
  'https://www.openstreetmap.org',
  'https://player.bilibili.com',
  'https://v.qq.com',
  'https://player.youku.com',
] as const;

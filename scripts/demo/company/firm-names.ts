import type { Town } from './towns.ts';

const FIRM_STARTS = [
  '恒',
  '瑞',
  '嘉',
  '华',
  '盛',
  '鑫',
  '远',
  '宏',
  '锦',
  '晟',
  '博',
  '泰',
  '裕',
  '卓',
  '铭',
  '凯',
  '润',
  '航',
  '越',
  '景',
] as const;
const FIRM_ENDS = [
  '禾',
  '森',
  '川',
  '丰',
  '岚',
  '屹',
  '帆',
  '木',
  '棠',
  '宸',
  '谷',
  '汇',
  '歌',
  '旭',
  '颖',
  '尚',
  '拓',
  '朗',
  '麦',
  '苑',
] as const;

/** A firm's name of a town, the same number the same name; no two of them alike. */
export function firmName(town: Town, trade: string, serial: number, kind: '有限公司' | '厂'): string {
  const start = FIRM_STARTS[serial % FIRM_STARTS.length] ?? '恒';
  const end = FIRM_ENDS[(Math.floor(serial / FIRM_STARTS.length) + serial * 7) % FIRM_ENDS.length] ?? '丰';
  return `${town.name}${start}${end}${trade}${kind}`;
}

/** The Latin name of such a firm, for documents. */
export function firmNameEn(town: Town, trade: string, serial: number): string {
  const first = [
    'HENG',
    'RUI',
    'JIA',
    'HUA',
    'SHENG',
    'XIN',
    'YUAN',
    'HONG',
    'JIN',
    'CHENG',
    'BO',
    'TAI',
    'YU',
    'ZHUO',
    'MING',
    'KAI',
    'RUN',
    'HANG',
    'YUE',
    'JING',
  ];
  const second = [
    'HE',
    'SEN',
    'CHUAN',
    'FENG',
    'LAN',
    'YI',
    'FAN',
    'MU',
    'TANG',
    'CHEN',
    'GU',
    'HUI',
    'GE',
    'XU',
    'YING',
    'SHANG',
    'TUO',
    'LANG',
    'MAI',
    'YUAN',
  ];
  const end = second[(Math.floor(serial / second.length) + serial * 7) % second.length] ?? '';
  return `${town.nameEn} ${first[serial % first.length] ?? ''}${end} ${trade} CO., LTD.`;
}

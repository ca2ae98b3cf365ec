import type { Dice } from './random.ts';

const SURNAMES = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾萧田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪石廖贾韦付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺顾毛郝龚邵万钱严',
];
const GIVEN = [
  '建华',
  '丽娟',
  '志远',
  '海燕',
  '国强',
  '晓峰',
  '玉梅',
  '文杰',
  '俊',
  '秀英',
  '伟民',
  '雪琴',
  '立新',
  '春燕',
  '浩然',
  '佳琪',
  '明辉',
  '红霞',
  '振宇',
  '思远',
  '桂芳',
  '永康',
  '晨曦',
  '雅婷',
  '少华',
  '金龙',
  '慧敏',
  '天佑',
  '凤英',
  '宏达',
  '静怡',
  '德胜',
  '小玲',
  '泽宇',
  '彩虹',
  '光耀',
  '梦洁',
  '家豪',
  '淑珍',
  '子涵',
] as const;

/** A person's name. */
export function personName(roll: Dice): string {
  return roll.pick(SURNAMES) + roll.pick(GIVEN);
}

/** Where a firm sits: source place, area of its numbers, port it ships from, name. */
export interface Town {
  readonly name: string;
  readonly nameEn: string;
  readonly sourcePlace: string;
  /** First six digits of credit codes and identity numbers. */
  readonly area: string;
  readonly loadingPort: string;
  readonly bankCity: string;
  readonly road: string;
}

export const TOWNS: readonly Town[] = [
  {
    name: '宁波',
    nameEn: 'NINGBO',
    sourcePlace: '33029',
    area: '330206',
    loadingPort: 'CNNBG',
    bankCity: '宁波',
    road: '北仑区明港路',
  },
  {
    name: '杭州',
    nameEn: 'HANGZHOU',
    sourcePlace: '33019',
    area: '330108',
    loadingPort: 'CNNBG',
    bankCity: '杭州',
    road: '滨江区江晖路',
  },
  {
    name: '温州',
    nameEn: 'WENZHOU',
    sourcePlace: '33039',
    area: '330304',
    loadingPort: 'CNNBG',
    bankCity: '杭州',
    road: '瓯海区梧慈路',
  },
  {
    name: '金华',
    nameEn: 'JINHUA',
    sourcePlace: '33079',
    area: '330702',
    loadingPort: 'CNNBG',
    bankCity: '义乌',
    road: '婺城区宾虹路',
  },
  {
    name: '绍兴',
    nameEn: 'SHAOXING',
    sourcePlace: '33069',
    area: '330602',
    loadingPort: 'CNNBG',
    bankCity: '杭州',
    road: '越城区迪荡路',
  },
  {
    name: '台州',
    nameEn: 'TAIZHOU',
    sourcePlace: '33109',
    area: '331003',
    loadingPort: 'CNNBG',
    bankCity: '宁波',
    road: '黄岩区新前街',
  },
  {
    name: '上海',
    nameEn: 'SHANGHAI',
    sourcePlace: '31019',
    area: '310114',
    loadingPort: 'CNSHG',
    bankCity: '上海',
    road: '嘉定区澄浏公路',
  },
  {
    name: '苏州',
    nameEn: 'SUZHOU',
    sourcePlace: '32059',
    area: '320506',
    loadingPort: 'CNSHG',
    bankCity: '上海',
    road: '吴中区越湖路',
  },
  {
    name: '无锡',
    nameEn: 'WUXI',
    sourcePlace: '32029',
    area: '320205',
    loadingPort: 'CNSHG',
    bankCity: '上海',
    road: '锡山区春笋路',
  },
  {
    name: '南通',
    nameEn: 'NANTONG',
    sourcePlace: '32069',
    area: '320612',
    loadingPort: 'CNSHG',
    bankCity: '上海',
    road: '通州区金霞路',
  },
  {
    name: '青岛',
    nameEn: 'QINGDAO',
    sourcePlace: '37029',
    area: '370211',
    loadingPort: 'CNQDG',
    bankCity: '青岛',
    road: '黄岛区团结路',
  },
  {
    name: '临沂',
    nameEn: 'LINYI',
    sourcePlace: '37139',
    area: '371302',
    loadingPort: 'CNQDG',
    bankCity: '青岛',
    road: '兰山区水田路',
  },
  {
    name: '厦门',
    nameEn: 'XIAMEN',
    sourcePlace: '35029',
    area: '350205',
    loadingPort: 'CNXMG',
    bankCity: '厦门',
    road: '海沧区新阳路',
  },
  {
    name: '泉州',
    nameEn: 'QUANZHOU',
    sourcePlace: '35059',
    area: '350503',
    loadingPort: 'CNXMG',
    bankCity: '厦门',
    road: '丰泽区东海街',
  },
  {
    name: '深圳',
    nameEn: 'SHENZHEN',
    sourcePlace: '44039',
    area: '440306',
    loadingPort: 'CNYTN',
    bankCity: '深圳',
    road: '宝安区松柏路',
  },
  {
    name: '东莞',
    nameEn: 'DONGGUAN',
    sourcePlace: '44199',
    area: '441900',
    loadingPort: 'CNYTN',
    bankCity: '深圳',
    road: '长安镇振安路',
  },
  {
    name: '佛山',
    nameEn: 'FOSHAN',
    sourcePlace: '44069',
    area: '440605',
    loadingPort: 'CNGZG',
    bankCity: '广州',
    road: '南海区桂澜路',
  },
  {
    name: '中山',
    nameEn: 'ZHONGSHAN',
    sourcePlace: '44209',
    area: '442000',
    loadingPort: 'CNGZG',
    bankCity: '广州',
    road: '小榄镇工业大道',
  },
];

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

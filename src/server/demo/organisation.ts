import type { Services } from '../services.ts';

export interface DemoDepartment {
  /** Appended to the company's code: `AA01`. */
  readonly suffix: string;
  readonly name: string;
  /** 工号 of its manager, without the company. */
  readonly manager: string;
}

export interface DemoCompany {
  readonly code: string;
  readonly name: string;
  readonly allowRegister: boolean;
  readonly departments: readonly DemoDepartment[];
}

export interface DemoPerson {
  readonly personid: string;
  readonly name: string;
  readonly mobile: string;
  /** Suffix of the department, empty for the company itself. */
  readonly dept: string;
  /** The default role first. */
  readonly roles: readonly string[];
  /** 工号 of the salespeople this person may act for. */
  readonly targets?: readonly string[];
}

const DEPARTMENTS: readonly DemoDepartment[] = [
  { suffix: '01', name: '业务一部', manager: 'dm' },
  { suffix: '02', name: '业务二部', manager: 'dm2' },
  { suffix: '03', name: '贸管部', manager: 'tm' },
  { suffix: '04', name: '财务部', manager: 'fn' },
  { suffix: '05', name: '风控部', manager: 'rk' },
  { suffix: '06', name: '客服部', manager: 'cs' },
];

/** The companies of setup/regions.json, in their order. */
export function companiesOf(services: Pick<Services, 'definitions'>): readonly DemoCompany[] {
  const file = services.definitions.setup().files['regions'];
  const list: readonly unknown[] = Array.isArray(file) ? file : [];
  return list.flatMap((entry): readonly DemoCompany[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const region = entry as Readonly<Record<string, unknown>>;
    const code = region['coCode'] ?? region['co_code'] ?? region['code'];
    const name = region['coName'] ?? region['co_name'] ?? region['name'];
    if (typeof code !== 'string' || typeof name !== 'string') return [];
    const allowRegister = (region['allowRegister'] ?? region['allow_register']) === true;
    return [{ code, name, allowRegister, departments: DEPARTMENTS }];
  });
}

/** The accounts of one demo company: one of every role, and where documents need a second pair of eyes two. */
export function demoStaff(coCode: string): readonly DemoPerson[] {
  const company = coCode.toLowerCase();
  const isFull = FULL_COMPANIES.includes(coCode);
  const people = STAFF.filter(({ isSecond }) => isFull || isSecond !== true);
  const targets = new Set(people.map(({ id }) => id));
  return people.map((person, index) => ({
    personid: `${person.id}.${company}`,
    name: person.name,
    mobile: mobileOf(coCode, { id: person.id, index }),
    dept: person.dept,
    roles: person.roles,
    targets: (person.targets ?? []).filter((id) => targets.has(id)).map((id) => `${id}.${company}`),
  }));
}

const FULL_COMPANIES: readonly string[] = ['AA', 'AE'];
const COMPANY_ORDER: readonly string[] = ['AA', 'AE', 'Ak', 'AO', 'AC', 'AF', 'AN', 'AG'];

interface StaffLine {
  readonly id: string;
  readonly name: string;
  readonly dept: string;
  readonly roles: readonly string[];
  readonly targets?: readonly string[];
  readonly isSecond?: boolean;
}

const STAFF: readonly StaffLine[] = [
  { id: 'sp', name: '周明', dept: '01', roles: ['SP', 'DM'], targets: ['sp2'] },
  { id: 'dm', name: '陈建国', dept: '01', roles: ['DM'] },
  { id: 'tm', name: '林晓燕', dept: '03', roles: ['TM'] },
  { id: 'dc', name: '吴丽华', dept: '03', roles: ['DC'] },
  { id: 'fn', name: '黄志强', dept: '04', roles: ['FN'] },
  { id: 'rk', name: '徐海峰', dept: '05', roles: ['RK'] },
  { id: 'tr', name: '孙玉兰', dept: '04', roles: ['TR'] },
  { id: 'cs', name: '朱婷', dept: '06', roles: ['CS'], targets: ['sp'] },
  { id: 'gm', name: '郑国栋', dept: '', roles: ['GM'] },
  { id: 'ad', name: '马超', dept: '', roles: ['AD'] },
  { id: 'fn2', name: '何静', dept: '04', roles: ['FN'], isSecond: true },
  { id: 'dm2', name: '罗文斌', dept: '02', roles: ['DM'], isSecond: true },
  { id: 'tm2', name: '高洁', dept: '03', roles: ['TM'], isSecond: true },
  { id: 'rk2', name: '梁伟', dept: '05', roles: ['RK'], isSecond: true },
  { id: 'sp2', name: '韩雪', dept: '01', roles: ['SP'], isSecond: true },
  { id: 'sp3', name: '冯磊', dept: '02', roles: ['SP'], isSecond: true },
];

/** 13800000001 is sp.aa; 13800000009 belongs to two people of two departments: sp2.aa and sp3.aa. */
function mobileOf(coCode: string, { id, index }: { readonly id: string; readonly index: number }): string {
  const company = COMPANY_ORDER.indexOf(coCode);
  if (company === 0 && id === 'sp') return '13800000001';
  if (company === 0 && (id === 'sp2' || id === 'sp3')) return '13800000009';
  return `138${String(company + 1).padStart(4, '0')}${String(index + 10).padStart(4, '0')}`;
}

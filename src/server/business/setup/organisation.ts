import type { Services } from '#server/records/services.ts';

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
  /** Administers the group: its common data, and the people of every company. */
  readonly isSuper?: boolean;
}

/** The companies of setup/regions.json, in their order. */
export function companiesOf(services: Pick<Services, 'definitions'>): readonly DemoCompany[] {
  const file = services.definitions.setup().files['regions'];
  const list: readonly unknown[] = Array.isArray(file) ? file : [];
  const { departments } = readOrganisation(services);
  return list.flatMap((entry): readonly DemoCompany[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const region = entry as Readonly<Record<string, unknown>>;
    const code = region['coCode'] ?? region['co_code'] ?? region['code'];
    const name = region['coName'] ?? region['co_name'] ?? region['name'];
    if (typeof code !== 'string' || typeof name !== 'string') return [];
    const allowRegister = (region['allowRegister'] ?? region['allow_register']) === true;
    return [{ code, name, allowRegister, departments }];
  });
}

/** The accounts of one demo company: one of every role, and where documents need a second pair of eyes two. */
export function demoStaff(services: Pick<Services, 'definitions'>, coCode: string): readonly DemoPerson[] {
  const { staff, fullCompanies } = readOrganisation(services);
  const company = coCode.toLowerCase();
  const isFull = fullCompanies.includes(coCode);
  const people = staff.filter(({ isSecond }) => isFull || isSecond !== true);
  const known = new Set(people.map(({ id }) => id));
  const companyNo = companiesOf(services).findIndex(({ code }) => code === coCode) + 1;
  return people.map((person, index) => ({
    personid: `${person.id}.${company}`,
    name: person.name,
    mobile: person.mobiles?.[coCode] ?? madeUpMobile(companyNo, index),
    dept: person.dept,
    roles: person.roles,
    isSuper: person.superIn?.includes(coCode) ?? false,
    targets: (person.targets ?? []).filter((id) => known.has(id)).map((id) => `${id}.${company}`),
  }));
}

/** setup/organisation.json: what every demo company looks like. */
interface OrganisationFile {
  readonly departments: readonly DemoDepartment[];
  /** Companies with a second person for the approving roles. */
  readonly fullCompanies: readonly string[];
  readonly staff: readonly {
    readonly id: string;
    readonly name: string;
    readonly dept: string;
    readonly roles: readonly string[];
    readonly targets?: readonly string[];
    readonly isSecond?: boolean;
    /** Companies in which this person has super permission. */
    readonly superIn?: readonly string[];
    /** Fixed numbers by company; the others are made up. */
    readonly mobiles?: Readonly<Record<string, string>>;
  }[];
}

function readOrganisation(services: Pick<Services, 'definitions'>): OrganisationFile {
  const file = services.definitions.setup().files['organisation'];
  const given = (typeof file === 'object' && file !== null ? file : {}) as Partial<OrganisationFile>;
  return {
    departments: given.departments ?? [],
    fullCompanies: given.fullCompanies ?? [],
    staff: given.staff ?? [],
  };
}

function madeUpMobile(companyNo: number, index: number): string {
  return `138${String(companyNo).padStart(4, '0')}${String(index + 10).padStart(4, '0')}`;
}

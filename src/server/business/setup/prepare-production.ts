import { roleWithDuty } from '#engine/access/role-duties.ts';
import { isCommonPassword } from '#server/kernel/common-passwords.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import type { Services } from '#server/records/services.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { importReferenceData } from './import-reference-data.ts';
import { importHelp } from './import-articles.ts';
import { importCompany, importRoles } from './import-organisation.ts';
import { importSettings } from './import-settings.ts';
import { companiesOf } from './organisation.ts';

/** The first start in production: companies, roles and one administrator beside the reference data; everything else is entered or imported. */
export async function prepareProduction(services: Services, progress: (step: string) => void): Promise<void> {
  const { adminPassword } = services.config;
  if (adminPassword === null)
    throw new StartRefusal(
      '配置错误：ERP_ADMIN_PASSWORD 首次启动必须设置：管理员 admin 的密码，8 到 30 个字符',
    );
  if (await isCommonPassword(adminPassword))
    throw new StartRefusal('配置错误：ERP_ADMIN_PASSWORD 是常见密码，请换一个');
  progress('导入国别、港口、HS 编码与汇率');
  await importReferenceData(services);
  progress('建立组织与管理员');
  const password = await hashPassword(adminPassword);
  await importRoles(services);
  await importHelp(services);
  const administration = roleWithDuty(services.definitions.catalog().roles, 'administration');
  for (const [index, company] of companiesOf(services).entries()) {
    const admin = {
      personid: 'admin',
      name: '系统管理员',
      mobile: '13000000000',
      dept: '',
      roles: administration === null ? [] : [administration],
      isSuper: true,
    };
    await importCompany(services, {
      company: { ...company, departments: [] },
      staff: index === 0 ? [admin] : [],
      password,
    });
    await importSettings(services, company.code);
  }
}

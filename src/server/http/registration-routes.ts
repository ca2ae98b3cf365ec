import { BAD_SMS_MOBILE, isRegistrationMobile } from '#trade/registration.ts';
import { fieldProblem } from '#server/auth/account.ts';
import { REGISTERED, registerPartner, requireOpenCompany } from '#server/auth/register-partner.ts';
import { sendSmsCode, SMS_CODE } from '#server/auth/sms-codes.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { serve } from './serve.ts';
import { siteOf } from './site.ts';
import type { Site } from '#contract/meta.ts';

/** Self-registration of customers (spec sections 2.4 and 7). */
export function registerRegistrationRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /sys/erpServiceRegion', async () => {
    const rows = await services.db.query(
      `select code, name from department where is_company and not is_deleted and status = 'active'
       order by sort_no nulls last, code`,
    );
    return answer(rows.map((row) => ({ label: rowText(row, 'name'), value: rowText(row, 'code') })));
  });
  serve(app, 'POST /sys/erpSendSmsCode', async (request) => {
    const site = await requireOpenSite(services, request.hostname);
    const mobile = (request.body.iphone ?? '').trim();
    if (!isRegistrationMobile(mobile))
      throw new AppError('VALIDATION', {
        message: BAD_SMS_MOBILE,
        problems: [fieldProblem('iphone', 'pattern', BAD_SMS_MOBILE)],
      });
    await sendSmsCode(services, {
      mobile,
      purpose: 'register',
      address: request.ip,
      wording: (code) =>
        `【${site.label}】您的注册验证码是 ${code}，${SMS_CODE.minutes}分钟内有效，请勿告诉他人。`,
    });
    return answer(null, '验证码已发送');
  });
  serve(app, 'POST /sys/erpRegisterAgcust', async (request) => {
    await requireOpenSite(services, request.hostname);
    const { body } = request;
    const form = {
      custname: body.custname ?? '',
      corpType: body.corpType === undefined ? '1' : String(body.corpType ?? ''),
      comNo: body.comNo ?? '',
      psNo: body.psNo ?? '',
      coDeptnameCode: body.coDeptnameCode ?? '',
      linkMan: body.linkMan ?? '',
      mobile: body.mobile ?? '',
      sms: body.sms ?? '',
    };
    const again = (body.again ?? '').trim();
    await registerPartner(services, form, {
      requestId: request.id,
      address: request.ip,
      again: again === '' ? null : again,
      idempotency: request.idempotency,
    });
    return answer(null, REGISTERED);
  });
}

/** The platform of this address; refuses where it has no company or the company takes no registrations. */
async function requireOpenSite(services: AppServices, hostname: string): Promise<Site> {
  const site = await siteOf(services, hostname);
  if (site.coCode === '') throw new AppError('REGISTER_CLOSED');
  await requireOpenCompany(services, site.coCode);
  return site;
}

import type { PersonPreview, PreviewList, PreviewListQuery } from '#contract/person-preview.ts';
import type { ReportResult } from '#contract/reports.ts';
import { clientResource } from '#engine/schema/client-resource.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { companyToday } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import { accessTo, openCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { loadDictionaries, usedDictionaries } from '#server/records/definitions/dictionary-values.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { operationTitle } from '#server/records/read/operation-titles.ts';
import { paramsOf, servedReport } from '#server/records/report/report-params.ts';
import { runReport } from '#server/records/report/run-report.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import type { StaffAccount } from './account.ts';
import { menuOf, reportPages } from './person-menu.ts';
import { findStaffById } from './staff-accounts.ts';
import { staffSubjects } from './subject.ts';

const PEOPLE = 'person';
const PREVIEWED = 'preview';
const PAGE_SIZE = 20;
const REPORT_LINES = 200;

/**
 * What an employee sees in a role, for an administrator of the same company (of the group: of any). Nothing is written
 * but the audit row that tells of the look.
 * @throws AppError 404 for whoever is not there, of another company or of the group
 */
export async function previewPerson(
  services: Services,
  caller: Caller,
  asked: { readonly id: string; readonly role: string | undefined },
): Promise<PersonPreview> {
  const { subject, roles, hiddenPaths } = await seenAs(services, caller, asked);
  await noteLook(services, caller, subject, null);
  const catalog = currentCatalog(services);
  const menu = menuOf(services, subject, hiddenPaths);
  return {
    name: subject.name,
    role: subject.role_code,
    roles,
    menu,
    reports: reportPages(services, menu),
    resources: Object.values(catalog.resources).flatMap((resource) => {
      const { operations, hidden } = accessTo(services, subject, resource);
      if (operations.size === 0) return [];
      return [
        {
          resource: resource.resource,
          title: resource.title,
          routes: resource.pages.map(({ route }) => route),
          operations: [...operations].map((name) => operationTitle(resource, name)),
          hidden: [...hidden].flatMap((name) => resource.fields[name]?.title ?? []),
          mayList: operations.has('list'),
          mayRead: operations.has('read'),
        },
      ];
    }),
  };
}

/** A page of a list as the employee has it: the same rows, columns and labels. */
export async function previewList(
  services: Services,
  caller: Caller,
  asked: { readonly id: string; readonly resource: string; readonly query: PreviewListQuery },
): Promise<PreviewList> {
  const { role, currentPage = 1, keyword = '' } = asked.query;
  const { subject } = await seenAs(services, caller, { id: asked.id, role });
  const call = openCall(services, callerAs(services, caller, subject), asked.resource, 'list');
  await noteLook(services, caller, subject, call.resource.title);
  const client = clientResource(call.resource, call.access);
  const request = parseListRequest(call, { currentPage, keyword, pageSize: PAGE_SIZE });
  return {
    definition: {
      ...client,
      operations: [...call.access.operations],
      dictionaries: await loadDictionaries(call, usedDictionaries(client)),
      shows: { chain: false, limits: false, entries: null, makes: [], begins: [], postsWhenMade: false },
    },
    page: await queryRecords(call, request),
    pageSize: PAGE_SIZE,
  };
}

/** One record as the employee reads it: without the fields that the role does not see. */
export async function previewRecord(
  services: Services,
  caller: Caller,
  asked: {
    readonly id: string;
    readonly role: string | undefined;
    readonly resource: string;
    readonly record: string;
  },
): Promise<OpenRecord> {
  const { subject } = await seenAs(services, caller, asked);
  const call = openCall(services, callerAs(services, caller, subject), asked.resource, 'read');
  const record = await getRecord(call, asked.record);
  await noteLook(services, caller, subject, call.resource.title);
  return record;
}

/** A report with its own parameters as the employee runs it: the first lines. */
export async function previewReport(
  services: Services,
  caller: Caller,
  asked: {
    readonly id: string;
    readonly role: string | undefined;
    readonly reportId: string;
    readonly signal: AbortSignal;
  },
): Promise<ReportResult> {
  const { subject } = await seenAs(services, caller, asked);
  const seer = callerAs(services, caller, subject);
  const report = servedReport(services, seer, asked.reportId);
  await noteLook(services, caller, subject, report.title);
  const values = paramsOf(report, {}, seer);
  return runReport(services, seer, { report, values, limit: REPORT_LINES, signal: asked.signal });
}

function callerAs(services: Services, caller: Caller, subject: Subject): Caller {
  return { ...caller, subject, context: services.definitions.contextFor(subject, services.clock()) };
}

async function seenAs(
  services: Services,
  caller: Caller,
  { id, role }: { readonly id: string; readonly role: string | undefined },
) {
  const now = services.clock();
  const account = await findStaffById(services.db, id, companyToday(now));
  const subjects = await staffSubjects(services.db, id, now);
  const subject = role === undefined ? subjects[0] : subjects.find(({ role_code: code }) => code === role);
  if (account === null || subject === undefined || !isOpenTo(caller, account))
    throw new AppError('NOT_FOUND');
  return {
    subject,
    roles: account.roles.map(({ code, name }) => ({ code, name })),
    hiddenPaths: account.roles.find(({ code }) => code === subject.role_code)?.hidden_paths ?? [],
  };
}

/** Through the eyes of the group one would see every company: its accounts are closed to whoever is not the group. */
function isOpenTo({ subject }: Caller, { coCode, superPermission }: StaffAccount): boolean {
  return subject.super_permission || (coCode === subject.co_code && !superPermission);
}

/** The audit row of one look: who looked as whom at what. */
async function noteLook(
  services: Services,
  caller: Caller,
  seen: Subject,
  title: string | null,
): Promise<void> {
  await services.db.transaction((tx) =>
    writeAudit(
      tx,
      { caller, at: services.clock() },
      {
        resource: PEOPLE,
        record_id: seen.id,
        co_code: seen.co_code,
        action: PREVIEWED,
        opinion: title === null ? `以${seen.role_code}身份预览` : `以${seen.role_code}身份预览${title}`,
      },
    ),
  );
}

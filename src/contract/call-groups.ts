import type { CallGroup } from './call.ts';
import { APPROVAL_CALLS } from './approval.ts';
import { AUDIT_CALLS } from './audit.ts';
import { COMMENT_CALLS } from './comments.ts';
import { FACE_CALLS } from './face.ts';
import { FILE_CALLS } from './files.ts';
import { FORGOTTEN_CALLS } from './forgotten.ts';
import { INVOICE_CHECK_CALLS } from './invoice-check.ts';
import { CHAIN_CALLS } from './chain.ts';
import { LEDGER_CALLS } from './ledger.ts';
import { LIST_CALLS } from './lists.ts';
import { LOOKUP_CALLS } from './lookup.ts';
import { MAIL_CALLS } from './mails.ts';
import { META_CALLS } from './meta.ts';
import { NOTICE_CALLS } from './notices.ts';
import { PERSON_PREVIEW_CALLS } from './person-preview.ts';
import { PRINT_CALLS } from './prints.ts';
import { PICK_CALLS } from './pick.ts';
import { RECOMPUTE_CALLS } from './recompute.ts';
import { RECORD_CALLS } from './records.ts';
import { REGISTRATION_CALLS } from './registration.ts';
import { REPORT_CALLS } from './reports.ts';
import { RESOURCE_HELP_CALLS } from './resource-help.ts';
import { REVIEW_CALLS } from './review.ts';
import { SELF_CALLS } from './self.ts';
import { DOCS_CALLS, PUBLIC_CALLS, STREAM_CALLS } from './service.ts';
import { SIGN_IN_CALLS } from './sign-in.ts';
import { SUPPLIER_SWITCH_CALLS } from './supplier-switch.ts';
import { TRANSFER_CALLS } from './transfer.ts';
import { UPLOAD_LINK_CALLS } from './upload-links.ts';
import { VIEW_CALLS } from './views.ts';

/** The headings under which the description of the API lists the calls. */
export const CALL_GROUPS = {
  登录与账号: [SIGN_IN_CALLS, SELF_CALLS, REGISTRATION_CALLS, FORGOTTEN_CALLS],
  记录: [
    RECORD_CALLS,
    LIST_CALLS,
    LOOKUP_CALLS,
    PICK_CALLS,
    VIEW_CALLS,
    COMMENT_CALLS,
    LEDGER_CALLS,
    CHAIN_CALLS,
  ],
  审批: [APPROVAL_CALLS, REVIEW_CALLS],
  报表: [REPORT_CALLS, FACE_CALLS],
  导入导出与文件: [TRANSFER_CALLS, PRINT_CALLS, MAIL_CALLS, FILE_CALLS, UPLOAD_LINK_CALLS],
  消息: [NOTICE_CALLS, STREAM_CALLS],
  业务: [INVOICE_CHECK_CALLS, SUPPLIER_SWITCH_CALLS],
  定义与运维: [
    META_CALLS,
    RESOURCE_HELP_CALLS,
    PERSON_PREVIEW_CALLS,
    AUDIT_CALLS,
    RECOMPUTE_CALLS,
    DOCS_CALLS,
    PUBLIC_CALLS,
  ],
} as const satisfies Readonly<Record<string, readonly CallGroup[]>>;

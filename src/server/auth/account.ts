import type { FieldProblem } from '#engine/schema/resource.ts';

/** A role a person holds. */
export interface HeldRole {
  readonly code: string;
  readonly name: string;
  readonly can_represent: boolean;
  readonly is_mg: boolean;
  readonly hidden_paths: readonly string[];
}

/** What signing in needs to know of an employee. */
export interface StaffAccount {
  readonly kind: 'staff';
  readonly id: string;
  readonly personid: string;
  readonly name: string;
  readonly mobile: string;
  readonly coCode: string;
  readonly coName: string;
  readonly deptId: string | null;
  readonly deptCode: string;
  readonly deptName: string;
  readonly superPermission: boolean;
  readonly scopeOverride: string | null;
  /** 权限状态: sent as qxStatus. */
  readonly status: string;
  /** The default role first. Never empty for an account that may sign in. */
  readonly roles: readonly HeldRole[];
  readonly passwordHash: string | null;
}

/** What signing in needs to know of a partner's account. */
export interface PartnerAccount {
  readonly kind: 'partner';
  readonly id: string;
  /** The mobile number it signs in with. */
  readonly personid: string;
  readonly name: string;
  readonly mobile: string;
  readonly coCode: string;
  readonly coName: string;
  readonly deptCode: string;
  readonly deptName: string;
  readonly partnerId: string;
  readonly partnerName: string;
  readonly salesId: string | null;
  readonly salesName: string | null;
  readonly serviceId: string | null;
  /** Account and partner are both in force. */
  readonly isActive: boolean;
  /** What letters allow, where the account is there only by them. */
  readonly mandates?: readonly string[];
  readonly roles: readonly HeldRole[];
  readonly passwordHash: string | null;
}

export type Account = StaffAccount | PartnerAccount;

/** One problem of one field, for refusals of the forms of this folder. */
export function fieldProblem(path: string, code: string, message: string): FieldProblem {
  return { path, code, message };
}

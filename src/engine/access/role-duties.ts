import type { RoleDefinition } from '../schema/resource.ts';

/** What the program itself needs a role for; setup/roles.json says which one it is, so that no code names a role. */
export const ROLE_DUTIES = {
  partner: '委托方账号的角色',
  administration: '系统管理',
  last_approver: '没有其他审核人时审核',
  department_head: '在本部门内审核',
  service: '委托方没有专属客服时审核',
} as const;

export type RoleDuty = keyof typeof ROLE_DUTIES;

/** The code of the role that has a duty; null where none has it, so that nobody holds it. */
export function roleWithDuty(roles: Readonly<Record<string, RoleDefinition>>, duty: RoleDuty): string | null {
  return Object.values(roles).find((role) => role.duty === duty)?.code ?? null;
}

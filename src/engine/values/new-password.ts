/** Length of a password that is newly set, in characters; the login form still takes the older 6 to 30 of spec section 5. */
export const NEW_PASSWORD_LENGTH = { min: 8, max: 30 } as const;

/** What is wrong with the length of a new password; null when nothing is. */
export function newPasswordFault(password: string): string | null {
  const { min, max } = NEW_PASSWORD_LENGTH;
  const length = Array.from(password).length;
  return length < min || length > max ? `长度在 ${min} 到 ${max} 个字符` : null;
}

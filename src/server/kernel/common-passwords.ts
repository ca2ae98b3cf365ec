/** What is told of a password that everybody tries first. */
export const COMMON_PASSWORD = '这个密码过于常见，请换一个';

/** True for one of the 49,233 passwords that leaked lists have most often, whatever the case of its letters. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load();
  return (await list).has(password.toLowerCase());
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Half a megabyte: loaded when the first password is set. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

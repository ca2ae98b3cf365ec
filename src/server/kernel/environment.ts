import { StartRefusal } from './start-refusal.ts';

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable without its edges; null where it is not set or empty. */
export function text(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

/** @throws StartRefusal with one line that names the variable and the mend */
export function refuse(name: string, mend: string): never {
  throw new StartRefusal(`配置错误：${name} ${mend}`);
}

/** @throws StartRefusal unless the text is an address of HTTP */
export function requireHttpUrl(name: string, url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    refuse(name, `应为 http:// 或 https:// 开头的地址，现为 "${url}"`);
}

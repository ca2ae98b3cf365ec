/**
 * What is wrong with a value, with the title of its field in front. A message that begins with the title says it already.
 * @example titledMessage('海关编号', '海关编号应为18位数字') // the same; titledMessage('数量', '应为数字') is '数量：应为数字'
 */
export function titledMessage(title: string, message: string): string {
  return message.startsWith(title) ? message : `${title}：${message}`;
}

/**
 * What the form of a new record is called, by the title of its page, which may say what is done there.
 * @example newTitle('预录入订单维护') // '新增预录入订单'
 */
export function newTitle(pageTitle: string): string {
  return `新增${pageTitle.replace(/(编辑|维护|登记)$/, '')}`;
}

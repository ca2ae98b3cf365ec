import { describe, expect, it } from 'vitest';
import { FilterSqlFault } from '#engine/filter/path-sql.ts';
import { AppError, type ErrorCode, ERRORS } from '#server/kernel/errors.ts';
import { toAppError } from '#server/kernel/to-app-error.ts';

const text = (code: ErrorCode): string => ERRORS[code].message;

describe('the error catalogue', () => {
  it.each(Object.entries(ERRORS))(
    '%s has a status, a Chinese text and a documentation line',
    (_code, entry) => {
      expect(entry.status).toBeGreaterThanOrEqual(400);
      expect(entry.status).toBeLessThan(600);
      expect(entry.message).toMatch(/\p{Script=Han}/u);
      expect(entry.doc).toMatch(/\p{Script=Han}.*。$/u);
    },
  );

  it('keeps the texts that the specification fixes', () => {
    expect(text('ROUTE_NOT_FOUND')).toBe('404,找不到地址!');
    expect(text('FORBIDDEN')).toBe('权限不足,请联系管理员!');
    expect(text('INTERNAL')).toBe('服务器出错');
    expect(text('CUSTOMER_NOT_REGISTERED')).toBe('客户未注册');
    expect(text('REGISTER_CLOSED')).toBe('该平台暂不支持客户注册！');
    expect(text('STALE_VERSION')).toBe('单据已被他人修改，请刷新后重试');
    expect(text('IMAGE_TOO_LARGE')).toBe('请选择20M以内的图片！');
    expect(text('TASK_DONE')).toBe('任务已处理');
  });

  it('tells of a filter without SQL form as a faulty query, with its place', () => {
    const refusal = toAppError(new FilterSqlFault('金额不能用 like 比较'));
    expect(refusal).toMatchObject({
      status: 400,
      code: 'BAD_FILTER',
      message: '查询条件有误：金额不能用 like 比较',
    });
  });

  it('fills details into a text', () => {
    expect(new AppError('DUPLICATE', { params: { field: '合同号' } }).message).toBe('“合同号”已存在');
  });
});

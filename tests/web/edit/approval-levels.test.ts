import { expect, it } from 'vitest';
import { decidersOf } from '#web/pages/form/approval-levels.tsx';
import { approvalIn } from '#web/pages/form/use-preview.ts';

it('says of each level who decides, that it is passed over, or that somebody has to be found', () => {
  const level = { mode: 'any', timeout_hours: null, reason: '' };
  const answer = {
    flow: '单证审核',
    levels: [
      { ...level, level_no: 1, title: '单证审核', persons: [], skipped: '提交人是该级唯一的审核人' },
      { ...level, level_no: 2, title: '贸管审核', persons: [{ id: '1', name: '林晓燕' }], skipped: null },
      { ...level, level_no: 3, title: '总经理审核', persons: [], skipped: null },
    ],
  };
  expect(approvalIn(answer)?.levels.map(decidersOf)).toEqual([
    '（跳过：提交人是该级唯一的审核人）',
    '林晓燕',
    '（没有可审核的人，请联系管理员）',
  ]);
});

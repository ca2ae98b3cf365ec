import { Button, Tour, type TourProps } from 'antd';
import { useMemo, useState } from 'react';
import type { Person } from '#contract/sign-in.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { roleNameOf } from '#web/data/stored-person.ts';
import { useOfferedOnce } from '#web/data/use-offered-once.ts';
import './first-day.css';

/** 新手引导: offered on the home page until somebody has seen or declined it in this role; its steps follow from the role's own menu. */
export function FirstDay({ person }: { readonly person: Person }) {
  const [isOffered, endOffer] = useOfferedOnce(`first-day|${person.id}|${person.roleId}`);
  const [isOpen, setOpen] = useState(false);
  const steps = useSteps(person);
  const end = () => {
    setOpen(false);
    endOffer();
  };
  if (!isOffered) return null;
  return (
    <p className="first-day">
      第一次以「{roleNameOf(person)}」工作？两分钟看完从哪里开始。
      <Button size="small" type="primary" onClick={() => setOpen(true)}>
        开始引导
      </Button>
      <Button size="small" type="text" onClick={end}>
        不用了
      </Button>
      {isOpen && <Tour open steps={steps} onClose={end} onFinish={end} />}
    </p>
  );
}

const MOST_NAMED = 6;

function useSteps(person: Person): NonNullable<TourProps['steps']> {
  const entries = useResourceList();
  return useMemo(() => {
    const groups = person.menuList.filter(({ list }) => list.length > 0).map(({ name }) => name);
    const begun = entries
      .filter(
        ({ operations, pages }) => operations.includes('create') && pages.some(({ kind }) => kind === 'edit'),
      )
      .map(({ title }) => title);
    const decided = entries
      .filter(({ operations }) => operations.includes('approve'))
      .map(({ title }) => title);
    return [
      {
        title: '菜单',
        description: `您的工作在这些分组里：${groups.slice(0, MOST_NAMED).join('、')}。上方可以按名称或拼音首字母查找。`,
        target: at('.side-menu'),
      },
      {
        title: '一处找到一切（Ctrl+K）',
        description: `输入 wxht、单号或客户名都可以；输入“新增”看您可以新建的单据${begun.length === 0 ? '' : `：${begun.slice(0, MOST_NAMED).join('、')}`}。`,
        target: at('.header-search'),
      },
      {
        title: '页签',
        description: '打开过的页面留在这里，内容不丢；右击可以收藏、关闭右侧，拖动可以排序。',
        target: at('.tab-row'),
      },
      ...(decided.length === 0
        ? []
        : [
            {
              title: '审核',
              description: `等您审核的${decided.slice(0, MOST_NAMED).join('、')}在「审核」里，行中有客户、金额、等了多久与改了什么。`,
              target: at('.tab-bar'),
            },
          ]),
      {
        title: '帮助',
        description: '每种单据都有说明：字段、状态、谁可以做什么、每个操作会发生什么；按 ? 看全部按键。',
        target: at('.app-header [aria-label="帮助"]'),
      },
    ];
  }, [person, entries]);
}

/** The part of the shell that a step points at; in the middle where it is not shown. */
function at(selector: string): () => HTMLElement {
  return () => document.querySelector<HTMLElement>(selector) ?? document.body;
}

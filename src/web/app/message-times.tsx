import { App } from 'antd';
import AppContext from 'antd/es/app/context';
import { type PropsWithChildren, useMemo } from 'react';

type Messages = ReturnType<typeof App.useApp>['message'];

/** A success needs no longer look; info and errors stand as the surroundings say. */
const SUCCESS_S = 3;

/** Messages below this point stand as long as their kind asks. */
export function MessageTimes({ children }: PropsWithChildren) {
  const app = App.useApp();
  const timed = useMemo(() => ({ ...app, message: withSuccessTime(app.message) }), [app]);
  return <AppContext.Provider value={timed}>{children}</AppContext.Provider>;
}

/** The same messages, a success of which stands 3 s where nothing else is said. */
export function withSuccessTime(message: Messages): Messages {
  return {
    ...message,
    success: (content, duration, onClose) => {
      if (typeof duration === 'function') return message.success(content, SUCCESS_S, duration);
      const isForm = typeof content === 'object' && content !== null && 'content' in content;
      if (isForm && duration === undefined) return message.success({ duration: SUCCESS_S, ...content });
      return message.success(content, duration ?? SUCCESS_S, onClose);
    },
  };
}

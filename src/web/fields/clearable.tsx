import { CloseCircleFilled } from '@ant-design/icons';

/** For `allowClear` of the library's inputs: the cross is called what it does. */
export const CLEARABLE = { clearIcon: <CloseCircleFilled aria-label="清除" /> };

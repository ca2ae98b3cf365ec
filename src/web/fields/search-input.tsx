import { SearchOutlined } from '@ant-design/icons';
import { Button, Input, type InputRef } from 'antd';
import type { SearchProps } from 'antd/es/input';
import type { Ref } from 'react';
import { CLEARABLE } from './clearable.tsx';

/** The library's search field; what it says by a picture alone is said in words too. */
export function SearchInput({ allowClear, ...props }: SearchProps & { readonly ref?: Ref<InputRef> }) {
  return (
    <Input.Search
      enterButton={<Button aria-label="搜索" icon={<SearchOutlined />} />}
      {...(allowClear === true ? { allowClear: CLEARABLE } : {})}
      {...props}
    />
  );
}

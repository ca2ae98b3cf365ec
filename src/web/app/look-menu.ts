import type { MenuProps } from 'antd';
import { chooseLook, currentLook, type Look } from '#web/data/look.ts';

type Item = NonNullable<MenuProps['items']>[number];

const LIGHTS = [
  ['light', '浅色'],
  ['dark', '深色'],
  ['system', '跟随系统'],
] as const satisfies readonly (readonly [Look['light'], string])[];
const DENSITIES = [
  ['standard', '标准'],
  ['compact', '紧凑'],
] as const satisfies readonly (readonly [Look['density'], string])[];

/** 外观: light or dark, standard or compact; what is chosen has a mark. */
export function lookMenu(): Item {
  const { light, density } = currentLook();
  return {
    key: 'look',
    label: '外观',
    children: [
      ...LIGHTS.map(([key, title]) =>
        choice(`light-${key}`, title, key === light, () => chooseLook({ light: key })),
      ),
      { type: 'divider' },
      ...DENSITIES.map(([key, title]) =>
        choice(`density-${key}`, title, key === density, () => chooseLook({ density: key })),
      ),
    ],
  };
}

function choice(key: string, title: string, isChosen: boolean, onClick: () => void): Item {
  return { key, label: isChosen ? `✓ ${title}` : `　${title}`, onClick };
}

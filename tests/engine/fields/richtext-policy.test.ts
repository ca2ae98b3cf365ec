import { expect, it } from 'vitest';
import { cleanStyle, isAllowedFrame } from '#engine/fields/richtext-policy.ts';

it.each([
  ['https://map.baidu.com/?q=1', true],
  ['https://PLAYER.bilibili.com/player.html', true],
  ['http://map.baidu.com/', false],
  ['https://map.baidu.com.evil.example/', false],
  ['https://map.baidu.com@evil.example/', false],
  ['https://map.baidu.com:8443/', false],
  ['//map.baidu.com/', false],
  ['javascript:alert(1)', false],
])('a frame of %s is allowed: %s', (address, isAllowed) => expect(isAllowedFrame(address)).toBe(isAllowed));

it.each([
  ['color: red; text-align: center;', 'color: red; text-align: center;'],
  ['color:red;position:fixed;top:0', 'color:red;top:0'],
  ['background:url(https://evil.example/a.png)', ''],
  ['background:u\\72l(https://evil.example)', ''],
  ['width:expr/**/ession(alert(1))', ''],
])('the style %s becomes %s', (style, safe) => expect(cleanStyle(style)).toBe(safe));

import { expect, type Locator, type Page } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

/** A red dot, and a picture of 40 × 20. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('several pictures are uploaded, ordered and placed; one that fails is sent again', async ({ page }) => {
  await write(page, '图片上传');
  await page.route('**/erp/api/files?**', (route) => route.abort(), { times: 1 });
  const dialog = await tool(page, 'image', '插入图片');
  await dialog
    .getByLabel('选择图片', { exact: true })
    .setInputFiles([png('装箱.png'), png('封条.png'), { ...png('清单.png'), mimeType: 'text/plain' }]);
  await expect(dialog.getByText('只能选择 JPEG、PNG、WebP、GIF 图片')).toBeVisible();
  await dialog.getByRole('button', { name: '移除清单.png' }).click();
  await expect(dialog.getByText('1个没有上传成功')).toBeVisible();
  await dialog.getByRole('button', { name: /^重试/ }).click();
  await expect(dialog.getByRole('button', { name: '插入2张' })).toBeEnabled();
  await dialog.getByRole('button', { name: '后移装箱.png' }).click();
  await dialog.getByLabel('宽度', { exact: true }).fill('300');
  await dialog.getByText('居中').click();
  await dialog.getByLabel('外边距').fill('5');
  await dialog.getByLabel('外边距').press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.type('图后');
  const html = await saved(page, '图片上传');
  const pictures = [...html.matchAll(/<img [^>]+>/g)].map(([tag]) => tag);
  expect(pictures.map((tag) => /alt="([^"]*)"/.exec(tag)?.[1])).toEqual(['封条', '装箱']);
  for (const tag of pictures)
    expect(tag).toMatch(
      /^<img src="\/erp\/api\/files\/[\w-]+" alt="[^"]*" width="300" style="display: block; margin: 5px auto;">$/,
    );
  expect(html).toMatch(/图后<\/p>$/);
});

test('a picture of the web is fetched by the server or refused in words', async ({ page }) => {
  await write(page, '网络图片');
  const dialog = await tool(page, 'image', '插入图片');
  // The dialog may still be opening under the first click.
  await expect(async () => {
    await dialog.getByRole('tab', { name: '网络图片' }).click();
    await expect(dialog.getByLabel('图片地址')).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await dialog.getByLabel('图片地址').fill('图片.png');
  await dialog.getByLabel('图片地址').press('Enter');
  await expect(dialog.getByText('请输入以 http:// 或 https:// 开头的图片地址')).toBeVisible();
  await dialog.getByLabel('图片地址').fill('http://127.0.0.1.nip.invalid/a.png');
  await dialog.getByRole('button', { name: '获取图片' }).click();
  await expect(dialog.getByRole('alert').first()).not.toBeEmpty();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('attachments stand in the text as links', async ({ page }) => {
  await write(page, '附件上传');
  const dialog = await tool(page, 'attachment', '插入附件');
  await expect(dialog.getByText('一次最多选择100个文件')).toBeVisible();
  const many = Array.from({ length: 101 }, (_, at) => text(`单据${at}.txt`));
  await dialog.getByLabel('选择附件', { exact: true }).setInputFiles(many.slice(0, 2));
  await expect(dialog.getByRole('button', { name: '插入2个' })).toBeEnabled();
  await dialog.getByRole('button', { name: '插入2个' }).click();
  await dialog.waitFor({ state: 'detached' });
  const html = await saved(page, '附件上传');
  expect(html).toMatch(
    /<a href="\/erp\/api\/files\/[\w-]+" download="单据0.txt" class="attachment">单据0.txt<\/a>.*单据1.txt<\/a>/,
  );
});

test('films and music come by address or as files, 420 by 280', async ({ page }) => {
  await write(page, '视频音乐');
  const video = await tool(page, 'video', '插入视频');
  await video.getByLabel('视频地址').fill('视频');
  await video.getByLabel('视频地址').press('Enter');
  await expect(video.getByText('请输入以 https:// 开头的地址')).toBeVisible();
  await video.getByLabel('视频地址').fill('https://example.com/a.mp4');
  await video.getByLabel('视频地址').press('Enter');
  await video.waitFor({ state: 'detached' });
  const player = await tool(page, 'video', '插入视频');
  await player.getByLabel('视频地址').fill('https://player.bilibili.com/player.html?bvid=BV1xx411c7mD');
  await player.getByText('居中').click();
  await insert(player);
  const music = await tool(page, 'music', '插入音乐');
  await music.getByRole('tab', { name: '本地上传' }).click();
  await music.getByLabel('选择音乐', { exact: true }).setInputFiles([text('歌词.txt')]);
  await expect(music.getByText('只能选择 MP3、OGG、WAV、M4A 音乐')).toBeVisible();
  await music.getByLabel('选择音乐', { exact: true }).setInputFiles([wave()]);
  await expect(music.getByText('已上传')).toBeVisible();
  await insert(music);
  const html = await saved(page, '视频音乐');
  expect(html).toContain(
    '<video src="https://example.com/a.mp4" width="420" height="280" controls=""></video>',
  );
  expect(html).toMatch(
    /<iframe src="https:\/\/player\.bilibili[^>]+width="420" height="280"[^>]*sandbox="allow-scripts/,
  );
  expect(html).toMatch(/<audio src="\/erp\/api\/files\/[\w-]+" controls=""><\/audio>/);
});

test('frames, maps and web applications are of allowed sites only', async ({ page }) => {
  await write(page, '网页框架');
  const frame = await tool(page, 'frame', '插入框架');
  await frame.getByLabel('网页地址').fill('https://evil.example/');
  await frame.getByLabel('网页地址').press('Enter');
  await expect(frame.getByRole('alert')).toContainText('只能插入这些网站的网页');
  await page.keyboard.press('Escape');
  await frame.waitFor({ state: 'detached' });
  const map = await tool(page, 'map', '百度地图');
  await map.getByRole('button', { name: /插\s*入/ }).click();
  await expect(map.getByText('请输入地点')).toBeVisible();
  await map.getByLabel('地点').fill('宁波港');
  await map.getByLabel('城市').fill('宁波');
  await insert(map);
  const gaode = await tool(page, 'secondMap', '高德地图');
  await gaode.getByLabel('地点').fill('北仑港');
  await insert(gaode);
  const app = await tool(page, 'webApp', '网页应用');
  await app.getByText('OpenStreetMap').click();
  await app.getByLabel('纬度,经度').fill('鹿特丹');
  await app.getByLabel('纬度,经度').press('Enter');
  await expect(app.getByText('请输入纬度和经度')).toBeVisible();
  await app.getByLabel('纬度,经度').fill('51.9475, 4.1427');
  await insert(app);
  const html = await saved(page, '网页框架');
  expect(html).toContain(
    `https://api.map.baidu.com/place/search?query=${encodeURIComponent('宁波港')}&amp;region=`,
  );
  expect(html).toContain('在百度地图中打开：宁波港</a>');
  expect(html).toContain(`https://uri.amap.com/search?keyword=${encodeURIComponent('北仑港')}`);
  expect(html).toContain('https://www.openstreetmap.org/export/embed.html?bbox=4.0927');
  expect(html.match(/<iframe [^>]*sandbox=/g)).toHaveLength(3);
});

test('a drawing and a part of the screen are uploaded as pictures', async ({ page }) => {
  await page.addInitScript(`navigator.mediaDevices.getDisplayMedia = async () => {
    if (globalThis.isRefused) throw new DOMException('no', 'NotAllowedError');
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 360;
    const context = canvas.getContext('2d');
    setInterval(() => { context.fillStyle = '#1677ff'; context.fillRect(0, 0, 640, 360); }, 40);
    const stream = canvas.captureStream(25);
    globalThis.screenTracks = stream.getTracks();
    return stream;
  };`);
  await write(page, '涂鸦截屏');
  const scrawl = await tool(page, 'scrawl', '涂鸦');
  const paper = scrawl.getByRole('img', { name: '画板' });
  await expect(scrawl.getByRole('button', { name: /插\s*入/ })).toBeDisabled();
  // The dialog has come to rest.
  await paper.hover();
  const box = await paper.boundingBox();
  if (box === null) throw new TypeError('no paper');
  for (const y of [60, 120]) {
    await page.mouse.move(box.x + 50, box.y + y);
    await page.mouse.down();
    await page.mouse.move(box.x + 250, box.y + y, { steps: 5 });
    await page.mouse.up();
  }
  await scrawl.getByRole('button', { name: /撤\s*销/ }).click();
  await expect(scrawl.getByRole('button', { name: /重\s*做/ })).toBeEnabled();
  await insert(scrawl);
  const screen = await tool(page, 'screenCapture', '截屏');
  await page.evaluate('globalThis.isRefused = true');
  await screen.getByRole('button', { name: '选择屏幕或窗口' }).click();
  await expect(screen.getByText('没有选择要截取的屏幕或窗口')).toBeVisible();
  await page.evaluate('globalThis.isRefused = false');
  await screen.getByRole('button', { name: '选择屏幕或窗口' }).click();
  const shot = screen.getByRole('img', { name: '截到的画面' });
  await expect(shot).toBeVisible();
  expect(await page.evaluate('globalThis.screenTracks.every((track) => track.readyState === "ended")')).toBe(
    true,
  );
  await shot.hover();
  const area = await shot.boundingBox();
  if (area === null) throw new TypeError('no picture');
  await page.mouse.move(area.x + 10, area.y + 10);
  await page.mouse.down();
  await page.mouse.move(area.x + 10 + area.width / 4, area.y + 10 + area.height / 4, { steps: 4 });
  await page.mouse.up();
  await insert(screen);
  const pictures = page.locator('.richtext-editor [data-slate-editor] img');
  await expect
    .poll(() => pictures.evaluateAll((all) => all.map((one) => Number(Reflect.get(one, 'naturalWidth')))))
    .toEqual([1600, expect.closeTo(160, -1)]);
  const html = await saved(page, '涂鸦截屏');
  expect(
    [...html.matchAll(/<img src="\/erp\/api\/files\/[\w-]+" alt="([^"]+)">/g)].map(([, alt]) => alt),
  ).toEqual(['涂鸦', '截屏']);
});

test('pictures that a Word paste leaves on the disk get their files, by name and in order', async ({
  page,
}) => {
  await write(page, '图片转存');
  const area = page.locator('.richtext-editor [data-slate-editor]').first();
  await expect(page.locator('[data-menu-key="dialog:wordImage"]')).toHaveAttribute('aria-disabled', 'true');
  await area.evaluate((element) => {
    const data = new DataTransfer();
    data.setData(
      'text/html',
      '<p>一<img src="file:///C:/Temp/image001.png">二<img src="file:///C:/Temp/image002.png"></p>',
    );
    element.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
    );
  });
  await expect(area.locator('img[data-word-image]')).toHaveCount(2);
  await expect(page.locator('.richtext-tip')).toContainText('还有2张图片没有转存');
  const dialog = await tool(page, 'wordImage', '图片转存');
  await dialog.getByLabel('选择图片文件', { exact: true }).setInputFiles([png('IMAGE002.png')]);
  await expect(dialog.getByText('还差1张')).toBeVisible();
  await dialog.getByLabel('选择图片文件', { exact: true }).setInputFiles([png('箱单.png')]);
  await dialog.getByRole('button', { name: '转存2张' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect(area.locator('img[data-word-image]')).toHaveCount(0);
  await expect(page.locator('.richtext-tip')).toHaveText('');
  expect(await saved(page, '图片转存')).toMatch(
    /一<img src="\/erp\/api\/files\/[\w-]+" alt="image001.png">二<img src="\/erp\/api\/files\/[\w-]+" alt="image002.png">/,
  );
});

async function insert(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: /插\s*入$/ }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** A second of silence. */
function wave(): { name: string; mimeType: string; buffer: Buffer } {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + 8000, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(8000, 40);
  return {
    name: '提示音.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.concat([head, Buffer.alloc(8000, 128)]),
  };
}

/** Begins a piece of news and puts the caret into its text. */
async function write(page: Page, title: string): Promise<void> {
  await signIn(page, 'tm.aa');
  await open(page, '/gggl/xwlb');
  await page.getByRole('button', { name: '写新闻' }).click();
  await page.getByRole('textbox', { name: '标题', exact: true }).fill(title);
  await page.locator('.richtext-editor [contenteditable="true"]').first().click();
}

/** Saves and reads what the server has. */
async function saved(page: Page, title: string): Promise<string> {
  await page.getByRole('button', { name: '保存' }).first().click();
  await expect(page.getByText('已保存').first()).toBeVisible();
  const query = { filters: { title: { eq: title } } };
  type Found = { readonly data: { readonly records: readonly { readonly id: string }[] } };
  const found = await callApi<Found>(page, 'POST', '/data/news/query', query);
  const id = found.body.data.records[0]?.id ?? '';
  const read = await callApi<{ readonly data: Readonly<Record<string, unknown>> }>(
    page,
    'GET',
    `/data/news/${id}`,
  );
  return String(read.body.data['content']);
}

/** Opens the dialog of a tool; those inside the menu of insertions come with it. */
async function tool(page: Page, key: string, title: string): Promise<Locator> {
  const button = page.locator(`.w-e-toolbar [data-menu-key="dialog:${key}"]`);
  const dialog = page.getByRole('dialog', { name: title });
  // What was placed last still moves the tools under the pointer while it grows: their group closes, and is opened again.
  await expect(async () => {
    if (!(await dialog.isVisible())) {
      if (!(await button.isVisible())) await page.locator('[data-menu-key="group:insert"]').hover();
      await button.click({ timeout: 5_000 });
    }
    await dialog.waitFor({ timeout: 5_000 });
  }).toPass();
  return dialog;
}

function png(name: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'image/png', buffer: DOT };
}

function text(name: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'text/plain', buffer: Buffer.from('一') };
}

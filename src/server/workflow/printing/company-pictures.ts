import sharp from 'sharp';
import type { FilledPrint } from '#engine/print/filled-print.ts';
import type { PictureSize } from '#engine/print/composed-print.ts';
import { PICTURE_KINDS, type PictureKind } from '#engine/print/print-template.ts';
import type { Services } from '#server/records/services.ts';

/** A picture as it is drawn: a PNG with its size on paper in points. */
export interface Picture extends PictureSize {
  readonly png: string;
}

/** Pictures by their names. */
export type Pictures = Readonly<Record<string, Picture>>;

/** A company's picture of a kind, with the name under which prints speak of it. */
type KnownPictures = Readonly<
  Partial<Record<PictureKind, { readonly name: string; readonly picture: Picture }>>
>;

type PictureServices = Pick<Services, 'db' | 'files' | 'definitions' | 'log'>;

const POINTS_PER_MM = 72 / 25.4;
const MOST_PIXELS = 700;
/** A logo stands in a letterhead. */
const LOGO_HEIGHT = 40;

/** The logo and the seals of a company that are in use; what cannot be read is left out, so that its place stays empty. */
export async function companyPictures(services: PictureServices, coCode: string): Promise<KnownPictures> {
  if (services.definitions.catalog().resources['company_seal'] === undefined) return {};
  const rows = await services.db.query(
    `select s.kind, s.width_mm::float8 as width_mm, f.id::text as file_id
     from company_seal s join lateral unnest(s.picture) as p(id) on true join sys_file f on f.id = p.id
     where s.co_code = $1 and s.status = 'active' and not s.is_deleted`,
    [coCode],
    'company_pictures',
  );
  const known: Partial<Record<PictureKind, { readonly name: string; readonly picture: Picture }>> = {};
  for (const row of rows) {
    const kind = PICTURE_KINDS.find((one) => one === row['kind']);
    const file = String(row['file_id']);
    const picture =
      kind === undefined
        ? null
        : await readPicture(services, { file, kind, widthMm: Number(row['width_mm']) });
    if (kind !== undefined && picture !== null) known[kind] = { name: file, picture };
  }
  return known;
}

/** Those that a filled print names. */
export function usedPictures({ blocks }: FilledPrint, known: KnownPictures): Pictures {
  const names = new Set(
    blocks.flatMap((block) => {
      if (block.kind === 'letterhead') return [block.logo];
      return block.kind === 'signatures' ? block.parties.map(({ stamp }) => stamp) : [];
    }),
  );
  return Object.fromEntries(
    Object.values(known).flatMap(({ name, picture }) => (names.has(name) ? [[name, picture]] : [])),
  );
}

interface Asked {
  readonly file: string;
  readonly kind: PictureKind;
  readonly widthMm: number;
}

/** Pictures that were read, by file and size: a hundred papers have the same seal. */
const read = new Map<string, Picture>();
const MOST_KEPT = 60;

async function readPicture(services: PictureServices, asked: Asked): Promise<Picture | null> {
  const key = `${asked.file} ${asked.kind} ${asked.widthMm}`;
  const known = read.get(key);
  if (known !== undefined) return known;
  try {
    const file = await services.files.find(asked.file);
    if (file === null) return null;
    const chunks: Buffer[] = [];
    for await (const chunk of await services.files.open(file)) chunks.push(Buffer.from(chunk));
    const picture = await preparePicture(Buffer.concat(chunks), asked);
    if (read.size >= MOST_KEPT) read.clear();
    read.set(key, picture);
    return picture;
  } catch (error) {
    services.log.warn({ err: error, file: asked.file }, 'picture of a company not read');
    return null;
  }
}

/** Small enough for paper; the white of a scanned seal is cut out, so that the text below it stays to be read. */
async function preparePicture(bytes: Buffer, { kind, widthMm }: Omit<Asked, 'file'>): Promise<Picture> {
  const { data, info } = await sharp(bytes, { limitInputPixels: 40_000_000 })
    .rotate()
    .resize({ width: MOST_PIXELS, height: MOST_PIXELS, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (kind !== 'logo') cutWhite(data);
  const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .png({ palette: false })
    .toBuffer();
  const wide = widthMm * POINTS_PER_MM;
  const high = (wide * info.height) / info.width;
  const scale = kind === 'logo' ? Math.min(1, LOGO_HEIGHT / high) : 1;
  return { png: png.toString('base64'), width: wide * scale, height: high * scale };
}

const WHITE = 225;

function cutWhite(pixels: Buffer): void {
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const least = Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    if (least >= WHITE) pixels[at + 3] = 0;
  }
}

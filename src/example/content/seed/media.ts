import { createSeededRandom, type SeededRandom } from '../../site/random.ts';
import { encodePng } from '../image/encode-png.ts';
import { type LandscapeOptions, paintLandscape } from '../image/landscape.ts';
import { computeOnce, storeImageSizes } from '../image/subsizes.ts';
import type { Entry } from '../model/entries.ts';
import { createBlankEntry } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';
import { createUniqueEntrySlug, sanitizeTitle } from '../rules/slug.ts';
import { CONTENT_EPOCH, MS_PER_DAY } from './fixtures.ts';

const IMAGE_COUNT = 38;
const PLACES = ['Harbour', 'Lighthouse', 'North path', 'Market hall', 'Ferry', 'Old pier', 'Slipway', 'Bay'];
const TIMES_OF_DAY = ['at dawn', 'at noon', 'in the evening', 'in fog', 'in snow'];

/** Media items that are not images. */
const DOCUMENTS = [
  { name: 'tide-table.txt', mime: 'text/plain', title: 'Tide table', text: 'High water 06:14 18:40\n' },
  { name: 'berths.csv', mime: 'text/csv', title: 'Berths', text: 'berth,length\n1,8\n2,12\n' },
];

export function seedMedia(state: ContentState): void {
  const random = createSeededRandom(state.random.integer(1, 2 ** 31));
  for (let index = 0; index < IMAGE_COUNT; index++) addImage(state, random, index);
  for (const document of DOCUMENTS) addDocument(state, document);
}

function addImage(state: ContentState, random: SeededRandom, index: number): void {
  const title = `${random.pick(PLACES)} ${random.pick(TIMES_OF_DAY)}`;
  const isPortrait = random.chance(0.25);
  const scene: LandscapeOptions = {
    width: isPortrait ? 240 : 320,
    height: isPortrait ? 320 : 240,
    hue: random.integer(180, 230),
    shape: random.integer(0, 1000),
  };
  const date = CONTENT_EPOCH - (IMAGE_COUNT - index) * 10 * MS_PER_DAY;
  const entry = createBlankEntry('attachment', state.nextId(), date);
  const slug = createUniqueEntrySlug(state, sanitizeTitle(title), 'attachment', entry.id);
  const file = `${getUploadFolder(date)}/${slug}.png`;
  const pixels = computeOnce(() => paintLandscape(scene));
  state.files.set(file, { type: 'image/png', readBytes: computeOnce(() => encodePng(pixels())) });
  putEntry(state, {
    ...entry,
    title,
    slug,
    author: random.integer(1, 2),
    excerpt: random.chance(0.5) ? `${title}, seen from the quay.` : '',
    media: {
      mime: 'image/png',
      file,
      alt: `A drawing: ${title.toLowerCase()}`,
      image: { width: scene.width, height: scene.height },
      sizes: storeImageSizes(scene, pixels, file, state.files),
    },
  });
}

function addDocument(state: ContentState, { name, mime, title, text }: (typeof DOCUMENTS)[number]): void {
  const file = `${getUploadFolder(CONTENT_EPOCH)}/${name}`;
  const bytes = new TextEncoder().encode(text);
  state.files.set(file, { type: mime, readBytes: () => bytes });
  const entry = createBlankEntry('attachment', state.nextId(), CONTENT_EPOCH);
  putEntry(state, {
    ...entry,
    title,
    slug: sanitizeTitle(title),
    author: 1,
    media: { mime, file, alt: '', sizes: {} },
  });
}

/** The folder of uploads of a month: `2025/01`. */
export function getUploadFolder(time: number): string {
  return new Date(time).toISOString().slice(0, 7).replace('-', '/');
}

function putEntry(state: ContentState, entry: Entry): void {
  state.entries.set(entry.id, entry);
}

import { createRandom, type Random } from '../../site/random.ts';
import type { Entry } from '../entries.ts';
import { lazily } from '../image/lazy.ts';
import { paint, type Scene } from '../image/paint.ts';
import { encodePng } from '../image/png.ts';
import { makeSizes } from '../image/subsizes.ts';
import { slugOf, uniqueSlug } from '../rules/slug.ts';
import type { ContentState } from '../state.ts';
import { blankEntry } from './blank.ts';
import { DAY, EPOCH } from './epoch.ts';

const IMAGES = 38;
const PLACES = ['Harbour', 'Lighthouse', 'North path', 'Market hall', 'Ferry', 'Old pier', 'Slipway', 'Bay'];
const HOURS = ['at dawn', 'at noon', 'in the evening', 'in fog', 'in snow'];

/** Two files that are no images. */
const DOCUMENTS = [
  { name: 'tide-table.txt', mime: 'text/plain', title: 'Tide table', text: 'High water 06:14 18:40\n' },
  { name: 'berths.csv', mime: 'text/csv', title: 'Berths', text: 'berth,length\n1,8\n2,12\n' },
];

export function fillMedia(state: ContentState): void {
  const random = createRandom(state.random.integer(1, 2 ** 31));
  for (let index = 0; index < IMAGES; index++) addImage(state, random, index);
  for (const document of DOCUMENTS) addDocument(state, document);
}

function addImage(state: ContentState, random: Random, index: number): void {
  const title = `${random.pick(PLACES)} ${random.pick(HOURS)}`;
  const upright = random.chance(0.25);
  const scene: Scene = {
    width: upright ? 240 : 320,
    height: upright ? 320 : 240,
    hue: random.integer(180, 230),
    shape: random.integer(0, 1000),
  };
  const date = EPOCH - (IMAGES - index) * 10 * DAY;
  const entry = blankEntry('attachment', state.nextId(), date);
  const slug = uniqueSlug(state, slugOf(title), 'attachment', entry.id);
  const file = `${folderOf(date)}/${slug}.png`;
  const pixels = lazily(() => paint(scene));
  state.files.set(file, { type: 'image/png', bytes: lazily(() => encodePng(pixels())) });
  put(state, {
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
      sizes: makeSizes(scene, pixels, file, state.files),
    },
  });
}

function addDocument(state: ContentState, { name, mime, title, text }: (typeof DOCUMENTS)[number]): void {
  const file = `${folderOf(EPOCH)}/${name}`;
  const bytes = new TextEncoder().encode(text);
  state.files.set(file, { type: mime, bytes: () => bytes });
  const entry = blankEntry('attachment', state.nextId(), EPOCH);
  put(state, {
    ...entry,
    title,
    slug: slugOf(title),
    author: 1,
    media: { mime, file, alt: '', sizes: {} },
  });
}

/** Uploads are filed by month. */
export function folderOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7).replace('-', '/');
}

function put(state: ContentState, entry: Entry): void {
  state.entries.set(entry.id, entry);
}

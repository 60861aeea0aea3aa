import { lazy } from '../../../base/memoize.ts';
import { sanitizeTitle } from '../../rest-server/slug.ts';
import { SeededRandom } from '../site/random.ts';
import { DEMO_USERS } from '../site/users.ts';
import { type ContentState, createBlankEntry, type Entry, type EntryStatus, type Term } from './model.ts';
import { createUniqueEntrySlug } from './rules.ts';
import seed from './seed.json' with { type: 'json' };

const CONTENT_EPOCH: number = Date.UTC(2025, 0, 15, 9, 0, 0);

const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY: number = 24 * MS_PER_HOUR;

const AUTHOR_NAMES: readonly string[] = [
  ...DEMO_USERS.map(({ name }) => name),
  ...seed.guestAuthors.split(', '),
];

const CATEGORIES = seed.categories.split(', ').map((name) => name.split('/').reverse());
const TAGS = seed.tags.split(', ').map((name) => [name]);

const SEED_TERMS: readonly Term[] = [...CATEGORIES, ...TAGS].map(([name = '', parent], index) => ({
  id: index + 1,
  taxonomy: index < CATEGORIES.length ? 'category' : 'post_tag',
  name,
  slug: sanitizeTitle(name),
  parent: CATEGORIES.findIndex(([category]) => category === parent) + 1,
}));

const generateSentence = (random: SeededRandom): string => fillPattern(random, random.pick(seed.sentences));

const generateTitle = (random: SeededRandom): string => fillPattern(random, random.pick(seed.titles));

function generateContent(random: SeededRandom): string {
  const sentences = (count: number): string[] =>
    Array.from({ length: count }, () => generateSentence(random));
  const blocks = Array.from({ length: random.integer(2, 5) }, () =>
    toBlock('paragraph', `<p>${sentences(random.integer(3, 6)).join(' ')}</p>`),
  );
  if (random.next() < 0.4) blocks.splice(1, 0, toBlock('heading', `<h2>${generateTitle(random)}</h2>`));
  if (random.next() < 0.25) {
    const items = sentences(2).map((item) => `<li>${item}</li>`);
    blocks.push(toBlock('list', `<ul>${items.join('')}</ul>`));
  }
  return blocks.join('\n\n');
}

function toBlock(name: string, html: string): string {
  return `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;
}

function fillPattern(random: SeededRandom, pattern: string): string {
  const text = Object.entries(seed.words).reduce(
    (sentence, [name, words]) => sentence.replace(`{${name}}`, () => random.pick(words.split(', '))),
    pattern,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One pixel, as each picture shows. */
const PICTURE = decodeBase64(seed.picture);

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const IMAGE_COUNT = 38;

function addImage(state: ContentState, random: SeededRandom, index: number): void {
  const title = `${random.pick(seed.places.split(', '))} ${random.pick(seed.timesOfDay.split(', '))}`;
  const date = CONTENT_EPOCH - (IMAGE_COUNT - index) * 10 * MS_PER_DAY;
  const entry = createBlankEntry('attachment', state.nextId(), date);
  const slug = createUniqueEntrySlug(state, sanitizeTitle(title), 'attachment', entry.id);
  const file = `${getUploadFolder(date)}/${slug}.png`;
  state.files.set(file, { type: 'image/png', readBytes: () => PICTURE });
  const media = { mime: 'image/png', file, alt: `A drawing: ${title.toLowerCase()}` };
  state.entries.set(entry.id, {
    ...entry,
    title,
    slug,
    author: random.integer(1, 2),
    excerpt: random.next() < 0.5 ? `${title}, seen from the quay.` : '',
    media: { ...media, image: { width: 1, height: 1 } },
  });
}

type SeedDocument = Readonly<Record<'name' | 'mime' | 'title', string>> & { text?: string; base64?: string };

function addDocument(state: ContentState, { name, mime, title, text, base64 }: SeedDocument): void {
  const file = `${getUploadFolder(CONTENT_EPOCH)}/${name}`;
  const bytes = base64 === undefined ? new TextEncoder().encode(text) : decodeBase64(base64);
  state.files.set(file, { type: mime, readBytes: () => bytes });
  const entry = createBlankEntry('attachment', state.nextId(), CONTENT_EPOCH);
  state.entries.set(entry.id, {
    ...entry,
    title,
    slug: sanitizeTitle(title),
    author: 1,
    media: { mime, file, alt: '' },
  });
}

export function getUploadFolder(time: number): string {
  return new Date(time).toISOString().slice(0, 7).replace('-', '/');
}

const POST_COUNT = 240;
const SUBPAGES_PER_SECTION = 6;

/** Statuses of the newest posts; others are published. */
const UNPUBLISHED: readonly EntryStatus[] = (
  [
    ['future', 5],
    ['draft', 8],
    ['pending', 4],
    ['private', 4],
    ['trash', 3],
  ] as const
).flatMap(([status, count]) => Array.from({ length: count }, () => status));

/** So large that scheduled dates are always in the future. */
const SCHEDULE_AHEAD = 20 * 365 * MS_PER_DAY;

function createPost(
  state: ContentState,
  random: SeededRandom,
  images: readonly number[],
  index: number,
): Entry {
  const status = UNPUBLISHED[index] ?? 'publish';
  const date =
    status === 'future'
      ? CONTENT_EPOCH + SCHEDULE_AHEAD + index * MS_PER_DAY
      : CONTENT_EPOCH - index * 2 * MS_PER_DAY - random.integer(0, 20) * MS_PER_HOUR;
  const termsOf = (taxonomy: string): number[] =>
    [...state.terms.values()].filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
  return {
    ...createBlankEntry('post', state.nextId(), date),
    status,
    title: generateTitle(random),
    content: generateContent(random),
    excerpt: random.next() < 0.3 ? generateSentence(random) : '',
    // Never both.
    password: index % 60 === 59 ? 'harbour' : '',
    sticky: index % 80 === 40,
    author: random.integer(1, state.authors.size),
    isDateFloating: status === 'draft' || status === 'pending',
    modified: (status === 'future' ? CONTENT_EPOCH : date) + random.integer(0, 40) * MS_PER_HOUR,
    commentStatus: random.next() < 0.8 ? 'open' : 'closed',
    featuredMedia: random.next() < 0.4 ? random.pick(images) : 0,
    format: random.pick(seed.formats.split(', ')),
    categories: random.sample(termsOf('category'), random.integer(1, 2)),
    tags: random.sample(termsOf('post_tag'), random.integer(0, 4)),
  };
}

function seedPages(state: ContentState, random: SeededRandom): void {
  const addPage = (title: string, parent: number, order: number): Entry => {
    const date = CONTENT_EPOCH - random.integer(500, 900) * MS_PER_DAY;
    return addEntry(state, {
      ...createBlankEntry('page', state.nextId(), date),
      status: parent !== 0 && order === SUBPAGES_PER_SECTION - 1 ? 'draft' : 'publish',
      title,
      content: generateContent(random),
      author: random.integer(1, 2),
      isDateFloating: false,
      modified: date + random.integer(0, 400) * MS_PER_DAY,
      parent,
      menuOrder: order,
    });
  };
  const top = seed.sections.split(', ').map((title, index) => addPage(title, 0, index));
  for (const { id, title } of top) {
    for (let index = 0; index < SUBPAGES_PER_SECTION; index++) {
      const child = addPage(`${title}: ${generateTitle(random)}`, id, index);
      if (index === 0) addPage(`${title}: notes`, child.id, 0);
    }
  }
}

function addEntry(state: ContentState, entry: Entry): Entry {
  const slug = createUniqueEntrySlug(state, sanitizeTitle(entry.title), entry.kind, entry.id);
  const added: Entry =
    entry.status === 'trash'
      ? { ...entry, slug: `${slug}__trashed`, beforeTrash: { status: 'publish', slug } }
      : { ...entry, slug };
  state.entries.set(entry.id, added);
  return added;
}

/** About a third, each to a post that shows it. */
function attachImages(state: ContentState): void {
  for (const post of state.entries.values()) {
    const image = state.entries.get(post.featuredMedia);
    if (image === undefined || image.parent !== 0 || image.id % 3 !== 0) continue;
    if (post.status !== 'publish' || post.password !== '') continue;
    state.entries.set(image.id, { ...image, parent: post.id });
  }
}

/** The state of the usual seed is generated once: items are replaced, never changed. */
export function createContentState(number = 1): ContentState {
  const { entries, files } = number === 1 ? generateUsualState() : generateState(number);
  const blank = createBlankState(entries.size);
  return { ...blank, entries: new Map(entries), files: new Map(files) };
}

const generateUsualState = lazy(() => generateState(1));

function createBlankState(lastId = 0): ContentState {
  let last = lastId;
  return {
    entries: new Map(),
    terms: new Map(SEED_TERMS.map((term) => [term.id, term])),
    authors: new Map(AUTHOR_NAMES.map((name, index) => [index + 1, name])),
    files: new Map(),
    nextId: () => ++last,
  };
}

function generateState(number: number): ContentState {
  const state = createBlankState();
  const seeds = new SeededRandom(number);
  const ofMedia = new SeededRandom(seeds.integer(1, 2 ** 31));
  for (let index = 0; index < IMAGE_COUNT; index++) addImage(state, ofMedia, index);
  for (const document of seed.documents) addDocument(state, document);
  const images = [...state.entries.keys()];
  const random = new SeededRandom(seeds.integer(1, 2 ** 31));
  seedPages(state, random);
  for (let index = POST_COUNT - 1; index >= 0; index--) {
    addEntry(state, createPost(state, random, images, index));
  }
  attachImages(state);
  for (const recording of seed.recordings) addDocument(state, recording);
  return state;
}

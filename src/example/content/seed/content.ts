import { createSeededRandom, type SeededRandom } from '../../site/random.ts';
import type { Entry, EntryStatus } from '../model/entries.ts';
import { createBlankEntry } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';
import { createUniqueEntrySlug, sanitizeTitle } from '../rules/slug.ts';
import { CONTENT_EPOCH, MS_PER_DAY, MS_PER_HOUR } from './fixtures.ts';
import { generateContent, generateSentence, generateTitle } from './prose.ts';

const POST_COUNT = 240;
const SECTION_TITLES = ['About', 'Visit', 'Services', 'Archive', 'Contact'];
const SUBPAGES_PER_SECTION = 6;

/** The statuses of the newest posts with their counts, from the newest. Other posts are published. */
const UNPUBLISHED_COUNTS: readonly (readonly [EntryStatus, number])[] = [
  ['future', 5],
  ['draft', 8],
  ['pending', 4],
  ['private', 4],
  ['trash', 3],
];

const FORMAT_POOL = [
  'standard',
  'standard',
  'standard',
  'standard',
  'aside',
  'gallery',
  'link',
  'quote',
  'video',
];

/** The distance of scheduled dates from the epoch, so large that they are always in the future. */
const SCHEDULE_AHEAD = 20 * 365 * MS_PER_DAY;

export function seedPostsAndPages(state: ContentState): void {
  const images = [...state.entries.values()].filter(({ kind }) => kind === 'attachment').map(({ id }) => id);
  const random = createSeededRandom(state.random.integer(1, 2 ** 31));
  seedPages(state, random);
  for (let index = POST_COUNT - 1; index >= 0; index--)
    addEntry(state, createPost(state, random, images, index));
}

/** Creates the `index`th newest post. */
function createPost(
  state: ContentState,
  random: SeededRandom,
  images: readonly number[],
  index: number,
): Entry {
  const status = getPostStatus(index);
  const date =
    status === 'future'
      ? CONTENT_EPOCH + SCHEDULE_AHEAD + index * MS_PER_DAY
      : CONTENT_EPOCH - index * 2 * MS_PER_DAY - random.integer(0, 20) * MS_PER_HOUR;
  const terms = [...state.terms.values()];
  return {
    ...createBlankEntry('post', state.nextId(), date),
    status,
    title: generateTitle(random),
    content: generateContent(random),
    excerpt: random.chance(0.3) ? generateSentence(random) : '',
    // Every 60th post has a password and every 80th is sticky, never both.
    password: index % 60 === 59 ? 'harbour' : '',
    sticky: index % 80 === 40,
    author: random.integer(1, state.authors.size),
    isDateFloating: status === 'draft' || status === 'pending',
    modified: (status === 'future' ? CONTENT_EPOCH : date) + random.integer(0, 40) * MS_PER_HOUR,
    commentStatus: random.chance(0.8) ? 'open' : 'closed',
    featuredMedia: random.chance(0.4) ? random.pick(images) : 0,
    format: random.pick(FORMAT_POOL),
    categories: random.sample(filterTermIds(terms, 'category'), random.integer(1, 2)),
    tags: random.sample(filterTermIds(terms, 'post_tag'), random.integer(0, 4)),
  };
}

function getPostStatus(index: number): EntryStatus {
  let upTo = 0;
  for (const [status, count] of UNPUBLISHED_COUNTS) {
    upTo += count;
    if (index < upTo) return status;
  }
  return 'publish';
}

function filterTermIds(
  terms: readonly { readonly id: number; readonly taxonomy: string }[],
  taxonomy: string,
): number[] {
  return terms.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
}

function seedPages(state: ContentState, random: SeededRandom): void {
  const top = SECTION_TITLES.map((title, index) =>
    addEntry(state, createPage(state, random, title, 0, index)),
  );
  for (const { id, title } of top) {
    for (let index = 0; index < SUBPAGES_PER_SECTION; index++) {
      const child = addEntry(
        state,
        createPage(state, random, `${title}: ${generateTitle(random)}`, id, index),
      );
      // One page of each section has a child of its own.
      if (index === 0) addEntry(state, createPage(state, random, `${title}: notes`, child.id, 0));
    }
  }
}

function createPage(
  state: ContentState,
  random: SeededRandom,
  title: string,
  parent: number,
  order: number,
): Entry {
  const date = CONTENT_EPOCH - random.integer(500, 900) * MS_PER_DAY;
  return {
    ...createBlankEntry('page', state.nextId(), date),
    status: parent !== 0 && order === SUBPAGES_PER_SECTION - 1 ? 'draft' : 'publish',
    title,
    content: generateContent(random),
    author: random.integer(1, 2),
    isDateFloating: false,
    modified: date + random.integer(0, 400) * MS_PER_DAY,
    parent,
    menuOrder: order,
  };
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

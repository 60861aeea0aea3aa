import { createRandom, type Random } from '../../site/random.ts';
import type { Entry, Status } from '../entries.ts';
import { slugOf, uniqueSlug } from '../rules/slug.ts';
import type { ContentState } from '../state.ts';
import { blankEntry } from './blank.ts';
import { DAY, EPOCH, HOUR } from './epoch.ts';
import { writeContent, writeSentence, writeTitle } from './prose.ts';

const POSTS = 240;
const SECTIONS = ['About', 'Visit', 'Services', 'Archive', 'Contact'];
const SUBPAGES = 6;

/** How many of the newest posts are not simply published, from the newest on. */
const UNPUBLISHED: readonly (readonly [Status, number])[] = [
  ['future', 5],
  ['draft', 8],
  ['pending', 4],
  ['private', 4],
  ['trash', 3],
];

const FORMATS = [
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

/** Far ahead, so that something is always scheduled, whatever year it is. */
const SCHEDULED_IN = 20 * 365 * DAY;

export function fillContent(state: ContentState): void {
  const images = [...state.entries.values()].filter(({ kind }) => kind === 'attachment').map(({ id }) => id);
  const random = createRandom(state.random.integer(1, 2 ** 31));
  fillPages(state, random);
  for (let index = POSTS - 1; index >= 0; index--) add(state, somePost(state, random, images, index));
}

/** The post that is the `index`th newest. */
function somePost(state: ContentState, random: Random, images: readonly number[], index: number): Entry {
  const status = statusOf(index);
  const date =
    status === 'future'
      ? EPOCH + SCHEDULED_IN + index * DAY
      : EPOCH - index * 2 * DAY - random.integer(0, 20) * HOUR;
  const terms = [...state.terms.values()];
  return {
    ...blankEntry('post', state.nextId(), date),
    status,
    title: writeTitle(random),
    content: writeContent(random),
    excerpt: random.chance(0.3) ? writeSentence(random) : '',
    // Every sixtieth is for members, and every eightieth stays on top; never both.
    password: index % 60 === 59 ? 'harbour' : '',
    sticky: index % 80 === 40,
    author: random.integer(1, state.authors.size),
    floating: status === 'draft' || status === 'pending',
    modified: (status === 'future' ? EPOCH : date) + random.integer(0, 40) * HOUR,
    comments: random.chance(0.8) ? 'open' : 'closed',
    featuredMedia: random.chance(0.4) ? random.pick(images) : 0,
    format: random.pick(FORMATS),
    categories: random.sample(ids(terms, 'category'), random.integer(1, 2)),
    tags: random.sample(ids(terms, 'post_tag'), random.integer(0, 4)),
  };
}

function statusOf(index: number): Status {
  let upTo = 0;
  for (const [status, count] of UNPUBLISHED) {
    upTo += count;
    if (index < upTo) return status;
  }
  return 'publish';
}

function ids(
  terms: readonly { readonly id: number; readonly taxonomy: string }[],
  taxonomy: string,
): number[] {
  return terms.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
}

function fillPages(state: ContentState, random: Random): void {
  const top = SECTIONS.map((title, index) => add(state, somePage(state, random, title, 0, index)));
  for (const { id, title } of top) {
    for (let index = 0; index < SUBPAGES; index++) {
      const child = add(state, somePage(state, random, `${title}: ${writeTitle(random)}`, id, index));
      // One leaf in a third generation.
      if (index === 0) add(state, somePage(state, random, `${title}: notes`, child.id, 0));
    }
  }
}

function somePage(state: ContentState, random: Random, title: string, parent: number, order: number): Entry {
  const date = EPOCH - random.integer(500, 900) * DAY;
  return {
    ...blankEntry('page', state.nextId(), date),
    status: parent !== 0 && order === SUBPAGES - 1 ? 'draft' : 'publish',
    title,
    content: writeContent(random),
    author: random.integer(1, 2),
    floating: false,
    modified: date + random.integer(0, 400) * DAY,
    parent,
    menuOrder: order,
  };
}

function add(state: ContentState, entry: Entry): Entry {
  const slug = uniqueSlug(state, slugOf(entry.title), entry.kind, entry.id);
  const added: Entry =
    entry.status === 'trash'
      ? { ...entry, slug: `${slug}__trashed`, before: { status: 'publish', slug } }
      : { ...entry, slug };
  state.entries.set(entry.id, added);
  return added;
}

import type { ComparedRequest } from './wordpress-requests.ts';

/** An intended difference from WordPress with its reason. The test also fails if it does not occur. */
interface KnownDifference {
  readonly reason: string;
  readonly applies: (request: ComparedRequest) => boolean;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    reason: 'WordPress states that an edit has a step at least (`minItems`), the seed does not',
    applies: ({ path, json }) => path.endsWith('/edit') && JSON.stringify(json).includes('"modifiers":[]'),
  },
  {
    reason: 'WordPress maps deleting a revision to do_not_allow for all users; in the seed, force deletes it',
    applies: ({ method, path, as }) =>
      method === 'DELETE' && path.includes('/revisions/') && (as === 'editor' || as === 'administrator'),
  },
  {
    reason: 'WordPress validates meta with a callback that gives no details; here its schema is validated',
    applies: ({ json }) => typeof json === 'object' && json !== null && 'meta' in json && json.meta === 'x',
  },
  {
    reason: 'a list as password causes a PHP type error in WordPress; here the parameter is rejected',
    applies: ({ path }) => path.includes('password[]'),
  },
  {
    reason: 'past the end the total of WordPress is 0; here it is the length of the list',
    applies: ({ path }) => /^\/(?:posts|pages)\?offset=99$/.test(path),
  },
  {
    reason: 'WordPress ignores an empty status and adds private entries; here it means the default',
    applies: ({ path, as }) => path === '/posts?status=' && as === 'editor',
  },
];

/** Members that only one of the sites has, by path in an item. They are removed before the comparison. */
export const IGNORED_MEMBERS: readonly {
  readonly member: string;
  readonly of?: string;
  readonly reason: string;
}[] = [
  ...['_links.author[].embeddable', '_links.replies[].embeddable', '_links.wp:term[].embeddable'].map(
    (member) => ({ member, reason: 'the seed has no routes of users, comments and terms' }),
  ),
  { member: 'class_list', reason: 'exists in WordPress 6.7 and later, and in the seed' },
  {
    member: 'meta',
    reason: 'the seed declares footnotes, which WordPress has since 6.3; meta without fields is a list',
  },
  {
    member: 'featured_media',
    of: '/media',
    reason: 'the seed declares it for media, WordPress 6.1 does not',
  },
  {
    member: 'data.details.status.data',
    reason: 'WordPress repeats the 401 or 403 of a rejected status; the example site does not',
  },
  {
    member: 'media_details.parent_image',
    of: '/media',
    reason:
      'the example site records the steps of an edit and the original as a number; WordPress has a string',
  },
];

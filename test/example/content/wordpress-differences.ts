import type { ComparedRequest } from './wordpress-requests.ts';

/** An intended difference from WordPress with its reason. The test also fails if it does not occur. */
export interface KnownDifference {
  readonly reason: string;
  readonly applies: (request: ComparedRequest) => boolean;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    reason:
      'WordPress maps deleting a revision to do_not_allow, for everybody; the seed says that force deletes it',
    applies: ({ method, path, as }) =>
      method === 'DELETE' && path.includes('/revisions/') && (as === 'editor' || as === 'administrator'),
  },
  {
    reason:
      'meta has a validator of its own in WordPress, which explains nothing; here its schema is the judge',
    applies: ({ json }) => typeof json === 'object' && json !== null && 'meta' in json && json.meta === 'x',
  },
  {
    reason: 'PHP ends with a type error there, where a password is a list; here the parameter is refused',
    applies: ({ path }) => path.includes('password[]'),
  },
  {
    reason: 'past the end WordPress counts nothing; here the total is that of the list',
    applies: ({ path }) => /^\/(?:posts|pages)\?offset=99$/.test(path),
  },
  {
    reason: 'an empty status is none in WordPress, which adds what is private; here it is the default',
    applies: ({ path, as }) => path === '/posts?status=' && as === 'editor',
  },
];

/** Members that only one of the two has, by path in an item. They are removed before the comparison. */
export const IGNORED_MEMBERS: readonly {
  readonly member: string;
  readonly of?: string;
  readonly reason: string;
}[] = [
  { member: 'class_list', reason: 'WordPress 6.7 and later, as the site of the seed' },
  {
    member: 'meta',
    reason: 'the seed declares footnotes, which WordPress has since 6.3; without fields it is a list',
  },
  {
    member: 'featured_media',
    of: '/media',
    reason: 'the seed declares it of media, which WordPress 6.1 does not',
  },
  {
    member: 'data.details.status.data',
    reason: 'a refused status carries its own 401 or 403 there, nothing here',
  },
  {
    member: 'media_details.parent_image',
    of: '/media',
    reason: 'an edit is recorded here with its steps, and names its original by a number, there by a text',
  },
];

import type { JsonObject } from '../../../json.ts';
import { collection, slicePage } from '../../site/answers.ts';
import type { Args, SiteAnswer } from '../../site/declare.ts';
import type { BoardRequest } from './route.ts';

/** The arguments of a list that counts its pages. */
export const PAGING: Args = {
  page: { description: 'Page of the list, from 1.', type: 'integer', default: 1, minimum: 1 },
  per_page: {
    description: 'Items on a page.',
    type: 'integer',
    default: 20,
    minimum: 1,
    maximum: 100,
  },
};

/** The page that was asked for, of a list that is whole and in order. */
export function answerPage<T>(
  { params }: BoardRequest,
  items: readonly T[],
  show: (item: T) => JsonObject,
): SiteAnswer {
  const page = params.integer('page', 1);
  const perPage = params.integer('per_page', 20);
  return collection(slicePage(items, { page, perPage }).map(show), { total: items.length, page, perPage });
}

import { ok, requires } from '../site/answers.ts';
import type { NamespaceDeclaration, SiteAnswer, SiteRequest } from '../site/declare.ts';
import { drop, dropExpired } from './ext/upload.ts';
import { EVERYWHERE, schemaOf, shown } from './schema/field.ts';
import type { ContentState } from './state.ts';

const SCHEMA = schemaOf('cancellation', {
  cancelled: shown('How many uploads were cancelled.', 'integer', EVERYWHERE),
  remaining: shown('How many uploads of the user still wait.', 'integer', EVERYWHERE),
});

/** The file manager: calls back uploads that were sent ahead. */
export const FILE_MANAGER: NamespaceDeclaration<ContentState> = {
  namespace: 'v1',
  routes: [
    {
      route: '/fm/cancel',
      schema: SCHEMA,
      endpoints: [{ methods: ['POST'], permission: requires('editor'), handle: cancel }],
    },
  ],
};

/** Drops the user's waiting uploads: the one whose `id` the body names, or all. */
function cancel({ state, user, params, now }: SiteRequest<ContentState>): SiteAnswer {
  dropExpired(state, now.getTime());
  const own = [...state.uploads.values()].filter(({ owner }) => owner === user?.id);
  const wanted = params.string('id');
  const cancelled = own.filter(({ id }) => wanted === undefined || id === wanted);
  for (const upload of cancelled) drop(state, upload);
  return ok({ cancelled: cancelled.length, remaining: own.length - cancelled.length });
}

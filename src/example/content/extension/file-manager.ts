import type { NamespaceDeclaration, SiteResponse } from '../../site/declarations.ts';
import { ok, requireRole } from '../../site/responses.ts';
import type { ContentRequest, ContentState } from '../model/state.ts';
import { ALL_CONTEXTS, createRecordSchema, readOnlyField } from '../schema/field.ts';
import { deleteExpiredUploads, deleteUpload } from './uploads.ts';

const CANCELLATION_SCHEMA = createRecordSchema('cancellation', {
  cancelled: readOnlyField('How many uploads were cancelled.', 'integer', ALL_CONTEXTS),
  remaining: readOnlyField('How many uploads of the user still wait.', 'integer', ALL_CONTEXTS),
});

/** The file manager, which cancels pending uploads. */
export const FILE_MANAGER_NAMESPACE: NamespaceDeclaration<ContentState> = {
  namespace: 'v1',
  routes: [
    {
      route: '/fm/cancel',
      schema: CANCELLATION_SCHEMA,
      endpoints: [{ methods: ['POST'], permission: requireRole('editor'), handle: cancelUploads }],
    },
  ],
};

/** Deletes the pending upload of the user with the `id` of the body, or all of them. */
function cancelUploads({ state, user, params, now }: ContentRequest): SiteResponse {
  deleteExpiredUploads(state, now.getTime());
  const userUploads = [...state.uploads.values()].filter(({ owner }) => owner === user?.id);
  const requestedId = params.string('id');
  const cancelled = userUploads.filter(({ id }) => requestedId === undefined || id === requestedId);
  for (const upload of cancelled) deleteUpload(state, upload);
  return ok({ cancelled: cancelled.length, remaining: userUploads.length - cancelled.length });
}

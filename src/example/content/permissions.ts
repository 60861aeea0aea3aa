import type { SiteError } from '../site/declarations.ts';
import { forbiddenError, isSiteError, restError } from '../site/responses.ts';
import type { Entry, EntryKind } from './model/entries.ts';
import type { ContentRequest, ContentState } from './model/state.ts';
import { canEdit, canRead } from './rules/capabilities.ts';

type PermissionCheck = (request: ContentRequest) => SiteError | undefined;

/** Finds an entry by kind and id. */
export function findEntry(state: ContentState, kind: EntryKind, id: number): Entry | SiteError {
  const entry = state.entries.get(id);
  return entry?.kind === kind ? entry : restError(404, 'rest_post_invalid_id', 'Invalid post ID.');
}

/** Finds the parent entry of a revision or autosave. */
function findParent(state: ContentState, kind: EntryKind, id: number): Entry | SiteError {
  const entry = state.entries.get(id);
  return entry?.kind === kind ? entry : restError(404, 'rest_post_invalid_parent', 'Invalid post parent ID.');
}

/** Requires that the parent of a revision or autosave exists and that the user can edit it. */
export function checkParentAccess(
  { params, state, user }: ContentRequest,
  kind: EntryKind,
  { parentParam, code, message }: ParentCheck,
): SiteError | undefined {
  const parent = findParent(state, kind, params.integer(parentParam, 0));
  if (isSiteError(parent)) return parent;
  return canEdit(user) ? undefined : forbiddenError(user, code, message);
}

interface ParentCheck {
  /** The path parameter with the id of the parent. */
  readonly parentParam: 'id' | 'parent';
  /** The error of a user who cannot edit. */
  readonly code: string;
  readonly message: string;
}

export const canListEntries: PermissionCheck = ({ params, user }) =>
  params.string('context') === 'edit' && !canEdit(user)
    ? forbiddenError(
        user,
        'rest_forbidden_context',
        'Sorry, you are not allowed to edit posts in this post type.',
      )
    : undefined;

/** Permits reading if the entry exists and the context, the password and the status allow it. */
export function canReadEntry(kind: EntryKind): PermissionCheck {
  return ({ params, state, user }) => {
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isSiteError(entry)) return entry;
    if (params.string('context') === 'edit' && !canEdit(user)) {
      return forbiddenError(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
    }
    const password = params.string('password', '');
    if (password !== '' && password !== entry.password) {
      return restError(403, 'rest_post_incorrect_password', 'Incorrect post password.');
    }
    return canRead(state, user, entry) ? undefined : forbiddenError(user);
  };
}

export const canCreateEntry: PermissionCheck = (request) => {
  const { params, user } = request;
  if (params.integer('id', 0) !== 0) {
    return restError(400, 'rest_post_exists', 'Cannot create existing post.');
  }
  return (
    checkEditorFields(request, 'create') ??
    (canEdit(user)
      ? undefined
      : forbiddenError(
          user,
          'rest_cannot_create',
          'Sorry, you are not allowed to create posts as this user.',
        ))
  );
};

export function canUpdateEntry(kind: EntryKind): PermissionCheck {
  return (request) => {
    const { params, state, user } = request;
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isSiteError(entry)) return entry;
    if (!canEdit(user)) {
      return forbiddenError(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    }
    return checkEditorFields(request, 'update');
  };
}

export function canDeleteEntry(kind: EntryKind): PermissionCheck {
  return ({ params, state, user }) => {
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isSiteError(entry)) return entry;
    return canEdit(user)
      ? undefined
      : forbiddenError(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
  };
}

/** Requires an editor for the author of another user and for sticky posts. */
function checkEditorFields(
  { params, user }: ContentRequest,
  verb: 'create' | 'update',
): SiteError | undefined {
  if (canEdit(user)) return undefined;
  const author = params.integer('author', 0);
  if (author !== 0 && author !== user?.id) {
    return forbiddenError(
      user,
      'rest_cannot_edit_others',
      `Sorry, you are not allowed to ${verb} posts as this user.`,
    );
  }
  return params.boolean('sticky')
    ? forbiddenError(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.')
    : undefined;
}

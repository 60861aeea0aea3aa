import { forbid, refuse } from '../site/answers.ts';
import type { SiteError, SiteRequest } from '../site/declare.ts';
import type { Entry, Kind } from './entries.ts';
import { mayRead, mayWrite } from './rules/rights.ts';
import type { ContentState } from './state.ts';

type Request = SiteRequest<ContentState>;
type Permission = (request: Request) => SiteError | undefined;

/** The entry of a kind that a path names. */
export function findEntry(state: ContentState, kind: Kind, id: number): Entry | SiteError {
  const entry = state.entries.get(id);
  return entry?.kind === kind ? entry : refuse(404, 'rest_post_invalid_id', 'Invalid post ID.');
}

/** The entry that a revision's path names. */
export function findParent(state: ContentState, kind: Kind, id: number): Entry | SiteError {
  const entry = state.entries.get(id);
  return entry?.kind === kind ? entry : refuse(404, 'rest_post_invalid_parent', 'Invalid post parent ID.');
}

export function isRefusal<T extends object>(outcome: T | SiteError): outcome is SiteError {
  return 'kind' in outcome && outcome.kind === 'error';
}

export const mayList: Permission = ({ params, user }) =>
  params.string('context') === 'edit' && !mayWrite(user)
    ? forbid(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.')
    : undefined;

/** Reading an entry: it exists, its context is the caller's, the password fits, its status lets them. */
export function mayReadOne(kind: Kind): Permission {
  return ({ params, state, user }) => {
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isRefusal(entry)) return entry;
    if (params.string('context') === 'edit' && !mayWrite(user)) {
      return forbid(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
    }
    const password = params.string('password', '');
    if (password !== '' && password !== entry.password) {
      return refuse(403, 'rest_post_incorrect_password', 'Incorrect post password.');
    }
    return mayRead(state, user, entry) ? undefined : forbid(user);
  };
}

export const mayCreate: Permission = (request) => {
  const { params, user } = request;
  if (params.integer('id', 0) !== 0) {
    return refuse(400, 'rest_post_exists', 'Cannot create existing post.');
  }
  return (
    mayClaim(request, 'create') ??
    (mayWrite(user)
      ? undefined
      : forbid(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.'))
  );
};

export function mayUpdate(kind: Kind): Permission {
  return (request) => {
    const { params, state, user } = request;
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isRefusal(entry)) return entry;
    if (!mayWrite(user)) {
      return forbid(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    }
    return mayClaim(request, 'update');
  };
}

export function mayDelete(kind: Kind): Permission {
  return ({ params, state, user }) => {
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isRefusal(entry)) return entry;
    return mayWrite(user)
      ? undefined
      : forbid(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
  };
}

/** Writing in another's name, and keeping a post on top, are for editors. */
function mayClaim({ params, user }: Request, verb: 'create' | 'update'): SiteError | undefined {
  if (mayWrite(user)) return undefined;
  const author = params.integer('author', 0);
  if (author !== 0 && author !== user?.id) {
    return forbid(
      user,
      'rest_cannot_edit_others',
      `Sorry, you are not allowed to ${verb} posts as this user.`,
    );
  }
  return params.boolean('sticky')
    ? forbid(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.')
    : undefined;
}

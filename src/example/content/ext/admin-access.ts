import type { JsonObject } from '../../../json.ts';
import { ok, refuse, requires } from '../../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../../site/declare.ts';
import { showDate } from '../rules/dates.ts';
import { EVERYWHERE, schemaOf, shown } from '../schema/field.ts';
import type { ContentState } from '../state.ts';

/** A link that lets its bearer in once, for a few minutes. */
export interface AccessLink {
  readonly nonce: string;
  /** Who made it, and as whom its bearer comes in. */
  readonly user: { readonly id: number; readonly name: string };
  readonly expires: number;
  readonly used: boolean;
}

const LIFETIME = 5 * 60_000;

const SCHEMA = schemaOf('admin-access', {
  nonce: shown('The secret part of the link.', 'string', EVERYWHERE),
  url: shown('The link. It works once.', 'string', EVERYWHERE, { format: 'uri' }),
  expires: shown('When the link ends, as GMT.', 'string', EVERYWHERE, { format: 'date-time' }),
});

const GRANT_SCHEMA = schemaOf('admin-access-grant', {
  granted: shown('Whether access is granted.', 'boolean', EVERYWHERE),
  user: shown('As whom.', 'object', EVERYWHERE, {
    properties: {
      id: { description: 'Unique identifier for the user.', type: 'integer' },
      name: { description: 'Display name of the user.', type: 'string' },
    },
  }),
  redirect: shown('Where to go on.', 'string', EVERYWHERE, { format: 'uri' }),
});

export const ADMIN_ACCESS_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  {
    route: '/admin-access',
    schema: SCHEMA,
    endpoints: [{ methods: ['POST'], permission: requires('administrator'), handle: make }],
  },
  {
    // The link is the right: who has it needs no account.
    route: '/admin-access/(?P<nonce>[a-zA-Z0-9_-]+)',
    schema: GRANT_SCHEMA,
    endpoints: [{ methods: ['GET'], handle: use }],
  },
];

function make({ state, user, now, link }: SiteRequest<ContentState>): SiteAnswer {
  // An hour after their end, links are forgotten.
  for (const old of state.accessLinks.values()) {
    if (old.expires + 3_600_000 < now.getTime()) state.accessLinks.delete(old.nonce);
  }
  const nonce = state.random.text(32);
  const expires = now.getTime() + LIFETIME;
  state.accessLinks.set(nonce, {
    nonce,
    user: { id: user?.id ?? 0, name: user?.name ?? '' },
    expires,
    used: false,
  });
  const url = link(`/ext-a/v1/admin-access/${nonce}`);
  return ok({ nonce, url, expires: showDate(expires) });
}

function use({ state, params, now, method, address }: SiteRequest<ContentState>): SiteAnswer | SiteError {
  const found = state.accessLinks.get(params.string('nonce', ''));
  if (found === undefined) return refuse(404, 'ext_a_access_unknown', 'There is no such link.');
  if (found.used) return refuse(410, 'ext_a_access_used', 'The link has been used.');
  if (found.expires <= now.getTime()) return refuse(410, 'ext_a_access_expired', 'The link has expired.');
  // Looking at a link's head, as mail programs do, must not use it up.
  if (method !== 'HEAD') state.accessLinks.set(found.nonce, { ...found, used: true });
  const { id, name } = found.user;
  const grant: JsonObject = { granted: true, user: { id, name }, redirect: address('/wp-admin/') };
  return ok(grant);
}

import type { JsonObject } from '../../../json.ts';
import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { created, ok, requireRole, restError } from '../../site/responses.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { formatDateTime } from '../rules/dates.ts';
import { ALL_CONTEXTS, createRecordSchema, readOnlyField } from '../schema/field.ts';

const LINK_LIFETIME = 5 * 60_000;

const LINK_SCHEMA = createRecordSchema('admin-access', {
  nonce: readOnlyField('The secret part of the link.', 'string', ALL_CONTEXTS),
  url: readOnlyField('The link. It works once.', 'string', ALL_CONTEXTS, { format: 'uri' }),
  expires: readOnlyField('When the link ends, as GMT.', 'string', ALL_CONTEXTS, { format: 'date-time' }),
});

const GRANT_SCHEMA = createRecordSchema('admin-access-grant', {
  granted: readOnlyField('Whether access is granted.', 'boolean', ALL_CONTEXTS),
  user: readOnlyField('As whom.', 'object', ALL_CONTEXTS, {
    properties: {
      id: { description: 'Unique identifier for the user.', type: 'integer' },
      name: { description: 'Display name of the user.', type: 'string' },
    },
  }),
  redirect: readOnlyField('Where to go on.', 'string', ALL_CONTEXTS, { format: 'uri' }),
});

export const ADMIN_ACCESS_ROUTES: readonly ContentRoute[] = [
  {
    route: '/admin-access',
    schema: LINK_SCHEMA,
    endpoints: [{ methods: ['POST'], permission: requireRole('administrator'), handle: createAccessLink }],
  },
  {
    // The nonce is the credential, so the endpoint has no permission check.
    route: '/admin-access/(?P<nonce>[a-zA-Z0-9_-]+)',
    schema: GRANT_SCHEMA,
    endpoints: [{ methods: ['GET'], handle: redeemAccessLink }],
  },
];

function createAccessLink({ state, user, now, link }: ContentRequest): SiteResponse {
  // Links are deleted an hour after they expire.
  for (const old of state.accessLinks.values()) {
    if (old.expires + 3_600_000 < now.getTime()) state.accessLinks.delete(old.nonce);
  }
  const nonce = state.random.text(32);
  const expires = now.getTime() + LINK_LIFETIME;
  state.accessLinks.set(nonce, {
    nonce,
    user: { id: user?.id ?? 0, name: user?.name ?? '' },
    expires,
    isUsed: false,
  });
  const url = link(`/ext-a/v1/admin-access/${nonce}`);
  return created({ nonce, url, expires: formatDateTime(expires) }, url);
}

function redeemAccessLink({ state, params, now, method, address }: ContentRequest): SiteResponse | SiteError {
  const accessLink = state.accessLinks.get(params.string('nonce', ''));
  if (accessLink === undefined) return restError(404, 'ext_a_access_unknown', 'There is no such link.');
  if (accessLink.isUsed) return restError(410, 'ext_a_access_used', 'The link has been used.');
  if (accessLink.expires <= now.getTime())
    return restError(410, 'ext_a_access_expired', 'The link has expired.');
  // Mail programs send HEAD to links, so HEAD does not use the link up.
  if (method !== 'HEAD') state.accessLinks.set(accessLink.nonce, { ...accessLink, isUsed: true });
  const { id, name } = accessLink.user;
  const grant: JsonObject = { granted: true, user: { id, name }, redirect: address('/wp-admin/') };
  return ok(grant);
}

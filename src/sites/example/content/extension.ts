import type { SiteResponse } from '../../rest-server/declarations.ts';
import { created, hasRole, ok, refuse, refuseUser } from '../../rest-server/responses.ts';
import { ABILITIES, findAbility, refuseMissing, runAbility, serializeAsTool } from './abilities.ts';
import type { ContentHandler, ContentRequest } from './model.ts';
import { formatDateTime } from './rules.ts';
import seed from './seed.json' with { type: 'json' };
import { getUploadUrl } from './serialize.ts';
import { readRequestFile } from './uploads.ts';

function createUpload(request: ContentRequest): SiteResponse {
  const { state, user } = request;
  const { name, type, bytes } = readRequestFile(request);
  const id = state.random.text(20);
  const file = `incoming/${id}/${name}`;
  state.files.set(file, { type, readBytes: () => bytes });
  state.uploads.set(id, { id, owner: user?.id ?? 0, file });
  const url = getUploadUrl(file, request);
  return created({ id, name, type, size: bytes.length, url }, url);
}

const LINK_LIFETIME = 5 * 60_000;

function createAccessLink({ state, user, now, link }: ContentRequest): SiteResponse {
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

function redeemAccessLink({ state, params, now, method }: ContentRequest): SiteResponse {
  const accessLink =
    state.accessLinks.get(params.string('nonce', '')) ??
    refuse(404, 'ext_a_access_unknown', 'There is no such link.');
  if (accessLink.isUsed) refuse(410, 'ext_a_access_used', 'The link has been used.');
  if (accessLink.expires <= now.getTime()) refuse(410, 'ext_a_access_expired', 'The link has expired.');
  // Mail programs send HEAD to links.
  state.accessLinks.set(accessLink.nonce, { ...accessLink, isUsed: method !== 'HEAD' });
  return ok({ granted: true, user: { ...accessLink.user } }, { 'Cache-Control': 'no-store, private' });
}

function getAbilityName({ params }: ContentRequest): string {
  return `${params.string('namespace', '')}/${params.string('ability', '')}`;
}

export function canRunAbility(request: ContentRequest): void {
  const role = findAbility(getAbilityName(request))?.changesSite === true ? 'editor' : 'subscriber';
  if (hasRole(request.user, role)) return;
  const message = 'Sorry, you are not allowed to run this ability.';
  refuseUser(request.user, 'ext_a_ability_forbidden', message);
}

export const extensionOperations: Readonly<Record<string, ContentHandler>> = {
  createUpload,
  createAccessLink,
  redeemAccessLink,

  runAbility(request) {
    const name = getAbilityName(request);
    const ability =
      findAbility(name) ?? refuse(404, 'ext_a_ability_not_found', `There is no ability ${name}.`);
    return ok({ ability: name, output: runAbility(ability, request.params.object('input') ?? {}, request) });
  },

  discoverTools: () =>
    ok({ tools: ABILITIES.filter(({ changesSite }) => !changesSite).map(serializeAsTool) }),

  callTool(request) {
    const name = request.params.string('name', '') || refuseMissing('name');
    const tool = findAbility(name) ?? refuse(404, 'ext_a_tool_not_found', `There is no tool ${name}.`);
    if (tool.changesSite) refuse(403, 'ext_a_tool_not_safe', `The tool ${name} changes the site.`);
    return ok({ name, result: runAbility(tool, request.params.object('arguments') ?? {}, request) });
  },

  cancelUploads({ state, user, params }) {
    const own = [...state.uploads.values()].filter(({ owner }) => owner === user?.id);
    const requestedId = params.string('id');
    const cancelled = own.filter(({ id }) => requestedId === undefined || id === requestedId);
    for (const { id, file } of cancelled) {
      state.uploads.delete(id);
      state.files.delete(file);
    }
    return ok({ cancelled: cancelled.length, remaining: own.length - cancelled.length });
  },

  listProviders({ params }) {
    const providers = seed.aiProviders.map((each) => ({
      ...each,
      capabilities: each.capabilities.split(' '),
    }));
    return ok(providers.filter(({ capabilities }) => capabilities.includes(params.string('capability', ''))));
  },
};

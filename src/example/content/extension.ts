import type { JsonObject } from '../../json.ts';
import type { NamespaceDeclaration, SiteError, SiteResponse } from '../../rest-server/declarations.ts';
import { created, forbiddenError, hasRole, isSiteError, ok, restError } from '../../rest-server/responses.ts';
import { ABILITIES, type Ability, findAbility, runAbility, serializeAsTool } from './abilities.ts';
import { assistantOperations } from './assistant.ts';
import { declareNamespace } from './declarations.ts';
import type { ContentRequest, ContentState, PendingUpload } from './model.ts';
import { formatDateTime } from './rules.ts';
import { getUploadUrl } from './serialize.ts';
import { type ReceivedFile, readRequestFile } from './uploads.ts';

/** The extension: uploads, one-time access links, abilities, tools and a chat assistant. */
export const extensionNamespace: NamespaceDeclaration<ContentState> = declareNamespace('ext-a/v1', {
  'POST PUT /upload': createUpload,
  'POST /admin-access': createAccessLink,
  // The nonce is the credential, so the endpoint has no permission check.
  'GET /admin-access/(?P<nonce>[a-zA-Z0-9_-]+)': redeemAccessLink,
  // Runs an ability without approval. The body contains `input`.
  'POST /abilities/(?P<namespace>[^/]+)/(?P<ability>[^/]+)/run': {
    permission: canRunAbility,
    handle: runNamedAbility,
  },
  // Read-only tools for the back end of a visual editor.
  'POST /visual-safe-backend-tools/discover': discoverTools,
  'POST /visual-safe-backend-tools/call': callTool,
  ...assistantOperations,
});

/** The file manager, which cancels pending uploads. */
export const fileManagerNamespace: NamespaceDeclaration<ContentState> = declareNamespace('v1', {
  'POST /fm/cancel': cancelUploads,
});

/** The AI providers. The example sends no requests to them. */
export const aiNamespace: NamespaceDeclaration<ContentState> = declareNamespace('ai/v1', {
  'GET /providers': ({ params }) =>
    ok(AI_PROVIDERS.filter(({ capabilities }) => capabilities.includes(params.string('capability', '')))),
});

const AI_PROVIDERS = [
  { id: 'lighthouse', name: 'Lighthouse', capabilities: ['text_generation', 'vision'], configured: true },
  { id: 'palette', name: 'Palette', capabilities: ['image_generation'], configured: true },
  {
    id: 'elsewhere',
    name: 'Elsewhere',
    capabilities: ['text_generation', 'image_generation', 'vision'],
    configured: false,
  },
];

const UPLOAD_LIFETIME = 3_600_000;

/** Stores a file from a form or the raw body without a media item. */
function createUpload(request: ContentRequest): SiteResponse | SiteError {
  const file = readRequestFile(request);
  if (isSiteError(file)) return file;
  const upload = storeUpload(file, request);
  return created(serializeUpload(upload, request), getUploadUrl(upload.file, request));
}

function storeUpload(
  { name, type, bytes }: ReceivedFile,
  { state, user, now }: ContentRequest,
): PendingUpload {
  deleteExpiredUploads(state, now.getTime());
  const id = state.random.text(20);
  const file = `incoming/${id}/${name}`;
  const upload: PendingUpload = {
    id,
    owner: user?.id ?? 0,
    name,
    type,
    size: bytes.length,
    file,
    expires: now.getTime() + UPLOAD_LIFETIME,
  };
  state.files.set(file, { type, readBytes: () => bytes });
  state.uploads.set(id, upload);
  return upload;
}

function serializeUpload(
  { id, name, type, size, file, expires }: PendingUpload,
  request: ContentRequest,
): JsonObject {
  return { id, name, type, size, url: getUploadUrl(file, request), expires: formatDateTime(expires) };
}

/** Deletes the uploads that have expired. */
function deleteExpiredUploads(state: ContentState, now: number): void {
  for (const upload of state.uploads.values()) if (upload.expires <= now) deleteUpload(state, upload);
}

function deleteUpload(state: ContentState, { id, file }: PendingUpload): void {
  state.uploads.delete(id);
  state.files.delete(file);
}

const LINK_LIFETIME = 5 * 60_000;

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

function getAbilityName({ params }: ContentRequest): string {
  return `${params.string('namespace', '')}/${params.string('ability', '')}`;
}

/** Abilities that change the site require an editor; others require any user. */
function canRunAbility(request: ContentRequest): SiteError | undefined {
  const ability: Ability | undefined = findAbility(getAbilityName(request));
  return hasRole(request.user, ability?.changesSite === true ? 'editor' : 'subscriber')
    ? undefined
    : forbiddenError(
        request.user,
        'ext_a_ability_forbidden',
        'Sorry, you are not allowed to run this ability.',
      );
}

function runNamedAbility(request: ContentRequest): SiteResponse | SiteError {
  const name = getAbilityName(request);
  const ability = findAbility(name);
  if (ability === undefined) return restError(404, 'ext_a_ability_not_found', `There is no ability ${name}.`);
  const output = runAbility(ability, request.params.object('input') ?? {}, request);
  return isSiteError(output) ? output : ok({ ability: name, output });
}

/** Lists the read-only tools, or those whose name or description contains `query`. */
function discoverTools({ params }: ContentRequest): SiteResponse {
  const query = params.string('query', '').toLowerCase();
  const tools = ABILITIES.filter(
    ({ changesSite, name, description }) =>
      !changesSite && `${name} ${description}`.toLowerCase().includes(query),
  );
  return ok({ tools: tools.map(serializeAsTool) });
}

/** Runs a read-only tool. The body contains `name` and `arguments`. */
function callTool(request: ContentRequest): SiteResponse | SiteError {
  const name = request.params.string('name', '');
  if (name === '') {
    const missing = restError(400, 'ext_a_missing_parameter', 'Missing parameter(s): name');
    return { ...missing, params: ['name'] };
  }
  const tool = findAbility(name);
  if (tool === undefined) return restError(404, 'ext_a_tool_not_found', `There is no tool ${name}.`);
  if (tool.changesSite) return restError(403, 'ext_a_tool_not_safe', `The tool ${name} changes the site.`);
  const result = runAbility(tool, request.params.object('arguments') ?? {}, request);
  return isSiteError(result) ? result : ok({ name, result });
}

/** Deletes the pending upload of the user with the `id` of the body, or all of them. */
function cancelUploads({ state, user, params, now }: ContentRequest): SiteResponse {
  deleteExpiredUploads(state, now.getTime());
  const userUploads = [...state.uploads.values()].filter(({ owner }) => owner === user?.id);
  const requestedId = params.string('id');
  const cancelled = userUploads.filter(({ id }) => requestedId === undefined || id === requestedId);
  for (const upload of cancelled) deleteUpload(state, upload);
  return ok({ cancelled: cancelled.length, remaining: userUploads.length - cancelled.length });
}

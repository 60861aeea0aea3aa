import { isRestBoolean } from '../../../validation/wordpress/php-types.ts';
import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { ok, requireRole } from '../../site/responses.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { formatDateTime } from '../rules/dates.ts';
import { CHAT_MODELS } from './language-model.ts';
import { CONSENT_SCHEMA, MODEL_SCHEMA, STATUS_SCHEMA } from './schemas.ts';
import { invalidBodyParam, missingBodyParam } from './session.ts';

export const STATUS_ROUTE: ContentRoute = {
  route: '/chat/status',
  schema: STATUS_SCHEMA,
  endpoints: [{ methods: ['GET'], permission: requireRole('editor'), handle: getStatus }],
};

export const MODELS_ROUTE: ContentRoute = {
  route: '/chat/models',
  schema: MODEL_SCHEMA,
  endpoints: [{ methods: ['GET'], permission: requireRole('editor'), handle: () => ok(CHAT_MODELS) }],
};

/** Sets the consent of the user to the use of the model. The body contains `granted`. */
export const CONSENT_ROUTE: ContentRoute = {
  route: '/chat/consent',
  schema: CONSENT_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requireRole('editor'), handle: setConsent }],
};

function getStatus({ state, user }: ContentRequest): SiteResponse {
  const id = user?.id ?? 0;
  const sessions = [...state.assistant.sessions.values()].filter(({ owner }) => owner === id).length;
  return ok({
    available: true,
    model: CHAT_MODELS[0].id,
    consent: state.assistant.consents.has(id),
    sessions,
  });
}

function setConsent({ state, user, params, now }: ContentRequest): SiteResponse | SiteError {
  const granted = params.get('granted') ?? null;
  if (granted === null) return missingBodyParam('granted');
  // PHP converts "maybe" to true, which would not be a consent.
  if (!isRestBoolean(granted)) return invalidBodyParam('granted', 'granted is not of type boolean.');
  const { consents } = state.assistant;
  const id = user?.id ?? 0;
  if (!params.boolean('granted')) {
    consents.delete(id);
    return ok({ granted: false, since: null });
  }
  const since = consents.get(id) ?? now.getTime();
  consents.set(id, since);
  return ok({ granted: true, since: formatDateTime(since) });
}

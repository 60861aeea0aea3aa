import { isRestBoolean } from '../../../validation/wordpress/php-types.ts';
import { ok, requires } from '../../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../../site/declare.ts';
import { showDate } from '../rules/dates.ts';
import type { ContentState } from '../state.ts';
import { invalidParam, missingParam } from './assistant.ts';
import { MODELS } from './models.ts';
import { CONSENT_SCHEMA, MODEL_SCHEMA, STATUS_SCHEMA } from './schemas.ts';

type Request = SiteRequest<ContentState>;

export const STATUS_ROUTE: RouteDeclaration<ContentState> = {
  route: '/chat/status',
  schema: STATUS_SCHEMA,
  endpoints: [{ methods: ['GET'], permission: requires('editor'), handle: status }],
};

export const MODELS_ROUTE: RouteDeclaration<ContentState> = {
  route: '/chat/models',
  schema: MODEL_SCHEMA,
  endpoints: [{ methods: ['GET'], permission: requires('editor'), handle: () => ok(MODELS) }],
};

/** Whether a user agrees that what they write is given to the model. The body holds `granted`. */
export const CONSENT_ROUTE: RouteDeclaration<ContentState> = {
  route: '/chat/consent',
  schema: CONSENT_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requires('editor'), handle: consent }],
};

function status({ state, user }: Request): SiteAnswer {
  const id = user?.id ?? 0;
  const sessions = [...state.assistant.sessions.values()].filter(({ owner }) => owner === id).length;
  return ok({ available: true, model: MODELS[0].id, consent: state.assistant.consents.has(id), sessions });
}

function consent({ state, user, params, now }: Request): SiteAnswer | SiteError {
  const granted = params.get('granted') ?? null;
  if (granted === null) return missingParam('granted');
  // "maybe" is true to PHP, and no consent.
  if (!isRestBoolean(granted)) return invalidParam('granted', 'granted is not of type boolean.');
  const { consents } = state.assistant;
  const id = user?.id ?? 0;
  if (!params.boolean('granted')) {
    consents.delete(id);
    return ok({ granted: false, since: null });
  }
  const since = consents.get(id) ?? now.getTime();
  consents.set(id, since);
  return ok({ granted: true, since: showDate(since) });
}

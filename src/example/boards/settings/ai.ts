import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import type { Args } from '../../site/declare.ts';
import { AI_PROVIDERS } from '../model/settings.ts';
import type { BoardState } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { conflict } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

const TONES = ['neutral', 'friendly', 'formal'] as const;

const FIELDS: Args = {
  enabled: { description: 'Whether tasks offer help with writing.', type: 'boolean' },
  provider: { description: 'Whose model helps.', type: 'string', enum: AI_PROVIDERS },
  model: { description: 'Name of the model, as its provider calls it.', type: 'string', maxLength: 100 },
  tone: { description: 'How it writes.', type: 'string', enum: TONES },
  max_output_tokens: {
    description: 'Longest answer.',
    type: 'integer',
    minimum: 64,
    maximum: 8192,
  },
};

/** Help with writing tasks. The key of the provider goes in and never comes out again. */
export const aiSettings: BoardRoute = route(
  '/ai/settings',
  [
    { methods: ['GET'], permission: permit.administrators, handle: ({ state }) => ok(show(state)) },
    {
      methods: ['POST'],
      args: {
        ...FIELDS,
        api_key: {
          description: 'Key of the provider, which is never shown again. Empty: forget the one that is kept.',
          type: 'string',
          maxLength: 300,
        },
      },
      permission: permit.administrators,
      handle: change,
    },
  ],
  answersWhole('ai-settings', 'Help with writing tasks.', {
    ...FIELDS,
    has_api_key: { description: 'Whether a key is kept.', type: 'boolean', readonly: true },
  }),
);

function change({ state, params }: BoardRequest): Answer {
  const { ai, features } = state.settings;
  const provider = choice(params, 'provider', AI_PROVIDERS) ?? ai.provider;
  const apiKey = params.string('api_key', ai.apiKey);
  const enabled = params.boolean('enabled', ai.enabled);
  if (enabled && (provider === 'none' || apiKey === '')) {
    return conflict('ai_not_configured', 'Choose a provider and give its key before switching this on.');
  }
  ai.provider = provider;
  ai.apiKey = apiKey;
  ai.enabled = enabled;
  ai.model = params.string('model', ai.model);
  ai.tone = choice(params, 'tone', TONES) ?? ai.tone;
  ai.max_output_tokens = params.integer('max_output_tokens', ai.max_output_tokens);
  features.ai = enabled;
  return ok(show(state));
}

function show({ settings }: BoardState): JsonObject {
  const { apiKey, ...shown } = settings.ai;
  return { ...shown, has_api_key: apiKey !== '' };
}

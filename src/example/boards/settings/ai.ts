import type { ArgumentSchemas } from '../../site/declarations.ts';
import { AI_PROVIDERS } from '../model/index.ts';
import { type BoardRoute, enumParam, refuseConflict, responseSchema, schema } from '../rest/index.ts';
import { createSiteSettingsResource } from './resource.ts';

const TONES = ['neutral', 'friendly', 'formal'] as const;

const ARGS: ArgumentSchemas = {
  enabled: schema.boolean('Whether tasks offer help with writing.'),
  provider: schema.enumeration('Whose model helps.', AI_PROVIDERS),
  model: schema.string('Name of the model, as its provider calls it.', { maxLength: 100 }),
  tone: schema.enumeration('How it writes.', TONES),
  max_output_tokens: schema.integer('Longest answer.', { minimum: 64, maximum: 8192 }),
};

const settings = createSiteSettingsResource(
  responseSchema('ai-settings', 'Help with writing tasks.', {
    ...ARGS,
    has_api_key: schema.readOnly(schema.boolean('Whether a key is kept.')),
  }),
  (all) => all,
  ({ ai: { apiKey, ...ai } }) => ({ ...ai, has_api_key: apiKey !== '' }),
);

/** Settings of the writing assistant. No response contains the key of the provider. */
export const aiSettingsRoute: BoardRoute = settings.route('/ai/settings', {
  GET: {},
  POST: {
    args: {
      ...ARGS,
      api_key: schema.string(
        'Key of the provider, which is never shown again. Empty: forget the one that is kept.',
        { maxLength: 300 },
      ),
    },
    change({ params }, { ai, features }) {
      const provider = enumParam(params, 'provider', AI_PROVIDERS) ?? ai.provider;
      const apiKey = params.string('api_key', ai.apiKey);
      const enabled = params.boolean('enabled', ai.enabled);
      if (enabled && (provider === 'none' || apiKey === '')) {
        return refuseConflict(
          'ai_not_configured',
          'Choose a provider and give its key before switching this on.',
        );
      }
      Object.assign(ai, { provider, apiKey, enabled });
      ai.model = params.string('model', ai.model);
      ai.tone = enumParam(params, 'tone', TONES) ?? ai.tone;
      ai.max_output_tokens = params.integer('max_output_tokens', ai.max_output_tokens);
      features.ai = enabled;
      return undefined;
    },
  },
});

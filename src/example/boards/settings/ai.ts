import type { ArgumentSchemas } from '../../site/declarations.ts';
import { AI_TONES } from '../model/index.ts';
import { type BoardRoute, enumParam, responseSchema, schema } from '../rest/index.ts';
import { createSiteSettingsResource } from './resource.ts';

const ARGS: ArgumentSchemas = {
  enabled: schema.boolean('Whether tasks offer help with writing: the module `ai`.'),
  tone: schema.enumeration('How the assistant writes.', AI_TONES),
  max_words: schema.integer('Longest text of the assistant, in words.', { minimum: 5, maximum: 1000 }),
};

const settings = createSiteSettingsResource(
  responseSchema('ai-settings', 'Help with writing tasks.', ARGS),
  (all) => all,
  ({ ai, features }) => ({ enabled: features.ai, ...ai }),
);

/** Settings of the writing assistant, whose switch is the feature module `ai`. */
export const aiSettingsRoute: BoardRoute = settings.route('/ai/settings', {
  GET: {},
  POST: {
    args: ARGS,
    change({ params }, { ai, features }) {
      features.ai = params.boolean('enabled', features.ai);
      ai.tone = enumParam(params, 'tone', AI_TONES) ?? ai.tone;
      ai.max_words = params.integer('max_words', ai.max_words);
      return undefined;
    },
  },
});

import type { NamespaceDeclaration } from '../../site/declarations.ts';
import { ok, requireRole } from '../../site/responses.ts';
import type { ContentState } from '../model/state.ts';
import { ALL_CONTEXTS, createRecordSchema, readOnlyField } from '../schema/field.ts';

const CAPABILITIES = ['text_generation', 'image_generation', 'vision'] as const;

/** The AI providers. The example sends no requests to them. */
const AI_PROVIDERS = [
  { id: 'lighthouse', name: 'Lighthouse', capabilities: ['text_generation', 'vision'], configured: true },
  { id: 'palette', name: 'Palette', capabilities: ['image_generation'], configured: true },
  { id: 'elsewhere', name: 'Elsewhere', capabilities: [...CAPABILITIES], configured: false },
];

const PROVIDER_SCHEMA = createRecordSchema('ai-provider', {
  id: readOnlyField('Unique identifier for the provider.', 'string', ALL_CONTEXTS),
  name: readOnlyField('Name of the provider.', 'string', ALL_CONTEXTS),
  capabilities: readOnlyField('What the provider can do.', 'array', ALL_CONTEXTS, {
    items: { type: 'string', enum: CAPABILITIES },
  }),
  configured: readOnlyField('Whether the site holds credentials for the provider.', 'boolean', ALL_CONTEXTS),
});

export const AI_NAMESPACE: NamespaceDeclaration<ContentState> = {
  namespace: 'ai/v1',
  routes: [
    {
      route: '/providers',
      schema: PROVIDER_SCHEMA,
      endpoints: [
        {
          methods: ['GET'],
          args: {
            capability: {
              description: 'What the providers are to be able to do.',
              type: 'string',
              enum: CAPABILITIES,
              required: true,
            },
          },
          permission: requireRole('editor'),
          handle: ({ params }) =>
            ok(
              AI_PROVIDERS.filter(({ capabilities }) =>
                capabilities.includes(params.string('capability', '')),
              ),
            ),
        },
      ],
    },
  ],
};

import { ok, requires } from '../site/answers.ts';
import type { NamespaceDeclaration } from '../site/declare.ts';
import { EVERYWHERE, schemaOf, shown } from './schema/field.ts';
import type { ContentState } from './state.ts';

const CAPABILITIES = ['text_generation', 'image_generation', 'vision'] as const;

/** Who could answer. None is asked: the example needs no network. */
const PROVIDERS = [
  { id: 'lighthouse', name: 'Lighthouse', capabilities: ['text_generation', 'vision'], configured: true },
  { id: 'palette', name: 'Palette', capabilities: ['image_generation'], configured: true },
  { id: 'elsewhere', name: 'Elsewhere', capabilities: [...CAPABILITIES], configured: false },
];

const SCHEMA = schemaOf('ai-provider', {
  id: shown('Unique identifier for the provider.', 'string', EVERYWHERE),
  name: shown('Name of the provider.', 'string', EVERYWHERE),
  capabilities: shown('What the provider can do.', 'array', EVERYWHERE, {
    items: { type: 'string', enum: CAPABILITIES },
  }),
  configured: shown('Whether the site holds credentials for the provider.', 'boolean', EVERYWHERE),
});

export const AI: NamespaceDeclaration<ContentState> = {
  namespace: 'ai/v1',
  routes: [
    {
      route: '/providers',
      schema: SCHEMA,
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
          permission: requires('editor'),
          handle: ({ params }) =>
            ok(
              PROVIDERS.filter(({ capabilities }) => capabilities.includes(params.string('capability', ''))),
            ),
        },
      ],
    },
  ],
};

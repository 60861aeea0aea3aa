import type { NamespaceDeclaration } from '../site/declarations.ts';
import type { SiteDefinition } from '../site/definition.ts';
import { DEMO_USERS } from '../site/users.ts';
import { AI_NAMESPACE } from './extension/ai-providers.ts';
import { FILE_MANAGER_NAMESPACE } from './extension/file-manager.ts';
import { EXTENSION_NAMESPACE } from './extension/index.ts';
import type { ContentRequest, ContentRoute, ContentState } from './model/state.ts';
import { CONTENT_OEMBED, findContentPage } from './public-pages.ts';
import { createAutosaveRoutes } from './routes/autosaves.ts';
import { createEntryRoutes } from './routes/entries.ts';
import { MEDIA_ROUTES } from './routes/media.ts';
import { createRevisionRoutes } from './routes/revisions.ts';
import { publishScheduledEntries } from './rules/statuses.ts';
import { createContentState } from './seed/create-state.ts';

export type { ContentState } from './model/state.ts';

const CORE_NAMESPACE: NamespaceDeclaration<ContentState> = {
  namespace: 'core/v2',
  routes: [
    ...(['post', 'page'] as const).flatMap((kind) => [
      ...createEntryRoutes(kind),
      ...createRevisionRoutes(kind),
      ...createAutosaveRoutes(kind),
    ]),
    ...MEDIA_ROUTES,
  ].map(publishDueFirst),
};

/** The content site: posts, pages and media with revisions and autosaves, and an extension with an assistant. */
export const contentDefinition: SiteDefinition<ContentState> = {
  name: 'Harbour Notes',
  description: 'News from a small harbour town that does not exist',
  users: DEMO_USERS,
  namespaces: [
    'oembed/1.0',
    'ext-a/v1',
    'v1',
    'ai/v1',
    'core/v2',
    'core-site-health/v1',
    'core-block-editor/v1',
    'core-abilities/v1',
  ],
  declarations: [EXTENSION_NAMESPACE, FILE_MANAGER_NAMESPACE, AI_NAMESPACE, CORE_NAMESPACE],
  createState: ({ seed }) => createContentState(seed),
  oembed: CONTENT_OEMBED,
  findPage: findContentPage,
};

/** Publishes due entries in the permission callback of a route, because that callback runs before the handler. */
function publishDueFirst(route: ContentRoute): ContentRoute {
  return {
    ...route,
    endpoints: route.endpoints.map((endpoint) => ({
      ...endpoint,
      permission(request: ContentRequest) {
        publishScheduledEntries(request.state, request.now.getTime());
        return endpoint.permission?.(request);
      },
    })),
  };
}

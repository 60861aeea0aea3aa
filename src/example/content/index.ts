import type { NamespaceDeclaration, RouteDeclaration, SiteRequest } from '../site/declare.ts';
import type { SiteDefinition } from '../site/definition.ts';
import { DEMO_USERS } from '../site/users.ts';
import { AI } from './ai.ts';
import { EXTENSION } from './ext/index.ts';
import { FILE_MANAGER } from './fm.ts';
import { MEDIA_ROUTES } from './media.ts';
import { answerOutside, OEMBED } from './outside.ts';
import { PAGE_ROUTES } from './pages.ts';
import { POST_ROUTES } from './posts.ts';
import { publishDue } from './rules/statuses.ts';
import { type ContentState, createContentState } from './state.ts';

export type { ContentState } from './state.ts';

const CORE: NamespaceDeclaration<ContentState> = {
  namespace: 'core/v2',
  routes: [...POST_ROUTES, ...PAGE_ROUTES, ...MEDIA_ROUTES].map(punctual),
};

/** Site A: posts, pages and media with their revisions and autosaves, and an extension with an assistant. */
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
  declarations: [EXTENSION, FILE_MANAGER, AI, CORE],
  createState: ({ seed }) => createContentState(seed),
  oembed: OEMBED,
  outside: answerOutside,
};

/** Publishes what is due before anybody looks: the permission of a request is the first to. */
function punctual(route: RouteDeclaration<ContentState>): RouteDeclaration<ContentState> {
  return {
    ...route,
    endpoints: route.endpoints.map((endpoint) => ({
      ...endpoint,
      permission(request: SiteRequest<ContentState>) {
        publishDue(request.state, request.now.getTime());
        return endpoint.permission?.(request);
      },
    })),
  };
}

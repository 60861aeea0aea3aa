import type { RouteDeclaration } from '../site/declare.ts';
import { createAutosaveRoutes } from './autosaves.ts';
import { createEntryRoutes } from './entry-routes.ts';
import { createRevisionRoutes } from './revisions.ts';
import type { ContentState } from './state.ts';

export const POST_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  ...createEntryRoutes('post'),
  ...createRevisionRoutes('post'),
  ...createAutosaveRoutes('post'),
];

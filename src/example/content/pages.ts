import type { RouteDeclaration } from '../site/declare.ts';
import { createAutosaveRoutes } from './autosaves.ts';
import { createEntryRoutes } from './entry-routes.ts';
import { createRevisionRoutes } from './revisions.ts';
import type { ContentState } from './state.ts';

export const PAGE_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  ...createEntryRoutes('page'),
  ...createRevisionRoutes('page'),
  ...createAutosaveRoutes('page'),
];

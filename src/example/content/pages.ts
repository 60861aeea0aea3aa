import type { RouteDeclaration } from '../site/declare.ts';
import { autosaveRoutes } from './autosaves.ts';
import { entryRoutes } from './entry-routes.ts';
import { revisionRoutes } from './revisions.ts';
import type { ContentState } from './state.ts';

export const PAGE_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  ...entryRoutes('page'),
  ...revisionRoutes('page'),
  ...autosaveRoutes('page'),
];

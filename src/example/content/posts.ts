import type { RouteDeclaration } from '../site/declare.ts';
import { autosaveRoutes } from './autosaves.ts';
import { entryRoutes } from './entry-routes.ts';
import { revisionRoutes } from './revisions.ts';
import type { ContentState } from './state.ts';

export const POST_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  ...entryRoutes('post'),
  ...revisionRoutes('post'),
  ...autosaveRoutes('post'),
];

import type { RouteDeclaration } from '../site/declarations.ts';
import { createAutosaveRoutes } from './routes/autosaves.ts';
import { createEntryRoutes } from './routes/entries.ts';
import { createRevisionRoutes } from './routes/revisions.ts';
import type { ContentState } from './model/state.ts';

export const POST_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  ...createEntryRoutes('post'),
  ...createRevisionRoutes('post'),
  ...createAutosaveRoutes('post'),
];

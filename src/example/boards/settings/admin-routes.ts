import { folders } from '../folders/routes.ts';
import type { BoardRoute } from '../rest/route.ts';
import { aiSettings } from './ai.ts';
import { featureModules } from './features.ts';
import { generalSettings } from './general.ts';
import { mcp } from './mcp.ts';
import { pages } from './pages.ts';

/** What administrators see, in the order in which the site registers it. */
export const adminRoutes: readonly BoardRoute[] = [
  ...featureModules,
  generalSettings,
  ...mcp,
  pages,
  ...folders,
  aiSettings,
];

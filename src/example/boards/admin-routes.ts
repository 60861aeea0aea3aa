import { aiSettings } from './ai-settings.ts';
import { featureModules } from './features.ts';
import { folders } from './folders.ts';
import { generalSettings } from './general-settings.ts';
import { mcp } from './mcp.ts';
import { pages } from './pages.ts';
import type { BoardRoute } from './routes.ts';

/** What administrators see, in the order in which the site registers it. */
export const adminRoutes: readonly BoardRoute[] = [
  ...featureModules,
  generalSettings,
  ...mcp,
  pages,
  ...folders,
  aiSettings,
];

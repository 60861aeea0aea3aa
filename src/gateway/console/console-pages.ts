import type { ConsoleAction, ConsolePage } from '../../console/index.ts';
import { createCachePage } from './cache.tsx';
import type { ConsoleContext } from './console-context.ts';
import { createDocumentPage } from './document.tsx';
import { createOverviewActions, createOverviewPage } from './overview.tsx';
import { createProblemsPage } from './problems.tsx';
import { createPurgeAction } from './purge-action.tsx';
import { createTrafficPages } from './traffic.tsx';
import { createRuleActions, createValidationPage } from './validation.tsx';

/** All pages of the console. */
export function createPages(context: ConsoleContext): readonly ConsolePage[] {
  return [
    createOverviewPage(context),
    ...createTrafficPages(context),
    createCachePage(context),
    createValidationPage(context),
    createDocumentPage(context),
    createProblemsPage(context),
  ];
}

/** All actions of the console. */
export function createActions(context: ConsoleContext): readonly ConsoleAction[] {
  return [...createOverviewActions(context), ...createRuleActions(context), createPurgeAction(context)];
}

import type { ConsoleAction, ConsolePage } from '../../console/index.ts';
import type { ConsoleContext } from './console-context.ts';
import { createOverviewActions, createOverviewPage } from './overview.tsx';
import { createProblemsPage } from './problems.tsx';
import { createTrafficPages } from './traffic.tsx';
import { createRuleActions, createValidationPage } from './validation.tsx';

/** All pages of the console. */
export function createPages(context: ConsoleContext): readonly ConsolePage[] {
  return [
    createOverviewPage(context),
    ...createTrafficPages(context),
    createValidationPage(context),
    createProblemsPage(context),
  ];
}

/** All actions of the console. */
export function createActions(context: ConsoleContext): readonly ConsoleAction[] {
  return [...createOverviewActions(context), ...createRuleActions(context)];
}

import type { ConsoleAction, ConsolePage } from '../../console/index.ts';
import type { ConsoleContext } from './console-context.ts';
import { createOverviewActions, createOverviewPage } from './overview.tsx';

/** All pages of the console. */
export function createPages(context: ConsoleContext): readonly ConsolePage[] {
  return [createOverviewPage(context)];
}

/** All actions of the console. */
export function createActions(context: ConsoleContext): readonly ConsoleAction[] {
  return [...createOverviewActions(context)];
}

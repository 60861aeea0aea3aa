export { type AuditEntry, writeAuditLine } from './audit.ts';
export { type Console, createConsole } from './console-handler.ts';
export type { ConsoleOptions } from './console-options.ts';
export type {
  ActionResult,
  Confirmation,
  ConsoleAction,
  ConsoleClient,
  ConsolePage,
  ConsoleRequest,
  ConsoleSection,
  ConsoleSite,
  ConsoleTab,
  ConsoleView,
} from './console-page.ts';

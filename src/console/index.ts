export { type AuditEntry, writeAuditLine } from './audit.ts';
export { type Console, type ConsoleOptions, createConsole } from './console-handler.ts';
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

export type { AdminHandler } from '../admin/admin-app.ts';
export type { BodyMemoryOptions } from '../exchange/request-body-validator.ts';
export { type Clock, type Log, type StateStore, silentLog, systemClock } from '../ports.ts';
export type {
  AdminOptions,
  GatewayOptions,
  ReloadReport,
  ReloadResult,
  SharedCounts,
} from '../site/options/gateway-options.ts';
export type {
  InProgram,
  SharedSiteSettings,
  SiteOptions,
  UpstreamOptions,
} from '../site/options/site-options.ts';
export { Gateway } from './gateway.ts';
export type { RequestAttributes } from './gateway-request.ts';

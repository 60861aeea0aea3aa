export { type Log, systemClock } from '../base/ports.ts';
export { Gateway } from './gateway.ts';
export type { RequestAttributes } from './gateway-request.ts';
export type {
  GatewayOptions,
  ReloadReport,
  ReloadResult,
  SiteOptions,
} from './site/settings.ts';

export { type Log, systemClock } from '../ports.ts';
export type { GatewayOptions, ReloadReport, ReloadResult } from '../site/options/gateway-options.ts';
export type { SiteOptions } from '../site/options/site-options.ts';
export { Gateway } from './gateway.ts';
export type { RequestAttributes } from './gateway-request.ts';

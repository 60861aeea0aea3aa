export type { TransportSource } from './carry.ts';
export { createGateway, type Gateway } from './gateway.ts';
export type { GatewayOptions, SiteOptions } from './options.ts';
export type { OutgoingHead, Plan, ProxyPlan, RequestFacts, RequestHead } from './plan.ts';
export { type Clock, type Log, silentLog, systemClock } from './ports.ts';

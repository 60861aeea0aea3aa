export { type Clock, type Log, type StateStore, silentLog, systemClock } from '../ports.ts';
export type { TransportSource } from './carry.ts';
export { createGateway, type Gateway } from './gateway.ts';
export type { AdminOptions, GatewayOptions, SiteOptions, ValidationOptions } from './options.ts';
export type { OutgoingHead, Plan, ProxyPlan, RequestFacts, RequestHead } from './plan.ts';

export type { IncomingRequestHead } from '../http/request-head.ts';
export { type Clock, type Log, type StateStore, silentLog, systemClock } from '../ports.ts';
export { createGateway, type Gateway } from './app/gateway.ts';
export type { TransportFactory } from './exchange/fetch-adapter.ts';
export type {
  AdminOptions,
  GatewayOptions,
  SiteOptions,
  ValidationOptions,
} from './options/gateway-options.ts';
export type { ForwardPlan, Plan, RelayedHead, RequestAttributes } from './plan/plan.ts';

export type { SiteClock } from './site/clock.ts';
export type { ExampleSite } from './site/create-site.ts';
export type { ExampleSiteOptions } from './site/definition.ts';
export { DEMO_USERS, type DemoUser, type SiteUser, type UserRole } from './site/users.ts';
export { boardSite, contentSite } from './sites.ts';

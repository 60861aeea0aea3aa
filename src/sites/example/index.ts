export type { SiteUser, UserRole } from '../rest-server/declarations.ts';
export type { ExampleSite, SiteClock } from './site/create-site.ts';
export type { ExampleSiteOptions } from './site/definition.ts';
export { DEMO_USERS, type DemoUser } from './site/users.ts';
export { boardSite, contentSite } from './sites.ts';

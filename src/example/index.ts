export type { RunningSite } from './site/create-site.ts';
export type { ExampleSiteOptions, SiteClock } from './site/definition.ts';
export { DEMO_USERS, type DemoUser, type SiteUser, type UserRole } from './site/users.ts';
export { type BoardSite, boardSite, type ContentSite, contentSite } from './sites.ts';

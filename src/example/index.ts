export type { Site } from './site/create-site.ts';
export type { SiteClock, SiteOptions } from './site/definition.ts';
export { DEMO_USERS, type DemoUser, type Role, type User } from './site/users.ts';
export { type BoardSite, boardSite, type ContentSite, contentSite } from './sites.ts';

/** Events of which a user can be notified. */
export const NOTIFICATION_EVENTS = [
  'task_created',
  'task_assigned',
  'task_moved',
  'task_completed',
  'comment_added',
  'mentioned',
  'due_soon',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];
export type NotificationSettings = Record<NotificationEvent, boolean>;

export const DASHBOARD_WIDGETS = [
  'recent_boards',
  'pinned_boards',
  'my_tasks',
  'overdue_tasks',
  'activity',
] as const;
export type DashboardWidget = (typeof DASHBOARD_WIDGETS)[number];

export interface DashboardView {
  layout: 'grid' | 'list';
  sort: 'recent' | 'title' | 'created';
  /** In the order shown. */
  widgets: readonly DashboardWidget[];
  showArchived: boolean;
}

export const TASK_TABS = ['comments', 'activities', 'time-tracks', 'subtasks', 'files'] as const;
export type TaskTab = (typeof TASK_TABS)[number];

/** Settings and lists of one user. */
export interface UserSettings {
  /** The newest pin first. */
  readonly pinnedBoards: number[];
  readonly pinnedTasks: number[];
  /** Most recently viewed first, at most ten. */
  readonly recentBoards: number[];
  readonly notifications: NotificationSettings;
  /** Settings of single boards that override `notifications`. */
  readonly boardNotifications: Map<number, Partial<NotificationSettings>>;
  readonly dashboard: DashboardView;
  /** Stages that the user has collapsed. */
  readonly foldedStages: Set<number>;
  /** Tabs of an open task, in the order shown. */
  taskTabs: readonly TaskTab[];
  onboardingStatus: 'pending' | 'skipped' | 'done';
}

export const FEATURES = ['time_tracking', 'roadmaps', 'reports', 'crm', 'ai', 'mcp', 'folders'] as const;
export type SiteFeature = (typeof FEATURES)[number];

export const COMPANION_PLUGINS = ['crm', 'helpdesk', 'forms'] as const;
export type CompanionPlugin = (typeof COMPANION_PLUGINS)[number];

/** Settings of the site, which administrators change. */
export interface SiteSettings {
  readonly features: Record<SiteFeature, boolean>;
  readonly installedPlugins: Record<CompanionPlugin, boolean>;
  readonly general: GeneralSettings;
  readonly roadmap: RoadmapSettings;
  readonly roadmapPage: RoadmapPageSettings;
  readonly mcp: McpSettings;
  readonly ai: AiSettings;
}

export interface GeneralSettings {
  default_currency: string;
  week_starts_on: 'monday' | 'sunday';
  date_format: 'Y-m-d' | 'd.m.Y' | 'm/d/Y';
  /** Users who may create boards, in addition to administrators. */
  board_creators: 'administrators' | 'editors' | 'everyone';
  /** Days after which archived tasks may be deleted for good; 0 keeps them. */
  keep_archived_days: number;
  email_from_name: string;
}

export interface RoadmapSettings {
  /** Whether users may submit ideas. */
  accept_ideas: boolean;
  /** Whether an idea is hidden until a manager approves it. */
  moderate_ideas: boolean;
  allow_comments: boolean;
  allow_votes: boolean;
  /** Maximum votes of one user on one board; 0 for no limit. */
  votes_per_user: number;
}

export interface RoadmapPageSettings {
  /** Page of the site that shows the roadmap; `null` for none. */
  page_id: number | null;
  title: string;
  intro: string;
  accent_color: string;
  layout: 'columns' | 'list';
}

export interface McpSettings {
  enabled: boolean;
  adapter_installed: boolean;
}

export const AI_PROVIDERS = ['none', 'openai', 'anthropic', 'google'] as const;
export type AiProvider = (typeof AI_PROVIDERS)[number];

export interface AiSettings {
  enabled: boolean;
  provider: AiProvider;
  model: string;
  /** Never part of a response. Empty when no key is stored. */
  apiKey: string;
  tone: 'neutral' | 'friendly' | 'formal';
  max_output_tokens: number;
}

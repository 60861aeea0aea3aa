import type { BoardKind, MemberRole } from '../model/index.ts';

/** Values of a generated board, and words for the titles of its tasks. */
export interface BoardPlan {
  readonly title: string;
  readonly description: string;
  readonly kind: BoardKind;
  readonly currency: string;
  readonly color: string;
  readonly isPublic?: boolean;
  readonly isArchived?: boolean;
  readonly contactIds?: readonly number[];
  /** Roles by the number of the user. The first user has created the board. */
  readonly members: Readonly<Record<number, MemberRole>>;
  readonly taskCount: number;
  /** The title of a task is a verb and a thing. */
  readonly verbs: readonly string[];
  readonly things: readonly string[];
}

const M = 'manager';
const W = 'member';
const V = 'viewer';
const IDEA_VERBS = ['Allow', 'Support', 'Show', 'Remember', 'Export', 'Translate', 'Speed up'] as const;

/** The boards, in the order of their numbers. */
export const BOARD_PLANS: readonly BoardPlan[] = [
  {
    title: 'Website relaunch',
    description: 'Everything until the new site is live, and the week after.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#4c6ef5',
    contactIds: [1, 2, 3],
    members: { 1: M, 2: M, 3: W, 4: W, 5: W, 6: W, 10: V },
    taskCount: 40,
    verbs: ['Design', 'Write', 'Review', 'Measure', 'Fix', 'Move', 'Translate'],
    things: [
      'the start page',
      'the shop pages',
      'the contact form',
      'the navigation',
      'the search',
      'the imprint',
      'all redirects',
      'the image sizes',
      'the cookie notice',
    ],
  },
  {
    title: 'Mobile app',
    description: 'The companion app for phones, from the first sketch to the stores.',
    kind: 'kanban',
    currency: 'USD',
    color: '#12b886',
    contactIds: [4],
    members: { 1: M, 2: W, 3: V, 7: M, 8: W, 9: W },
    taskCount: 32,
    verbs: ['Sketch', 'Build', 'Test', 'Measure', 'Polish', 'Document'],
    things: [
      'the sign-in',
      'push notifications',
      'offline reading',
      'the settings screen',
      'the tab bar',
      'dark mode',
      'deep links',
      'the crash reports',
    ],
  },
  {
    title: 'Product roadmap',
    description: 'What we are building next. Vote for what you want.',
    kind: 'roadmap',
    currency: 'EUR',
    color: '#7950f2',
    isPublic: true,
    members: { 1: M, 2: M, 3: W, 4: W },
    taskCount: 26,
    verbs: IDEA_VERBS,
    things: [
      'boards in a calendar',
      'recurring tasks',
      'guests on a board',
      'time tracks as a table',
      'labels in every language',
      'keyboard shortcuts',
      'sorting by votes',
      'the archive',
    ],
  },
  {
    title: 'Editorial calendar',
    description: 'Posts, pictures and dates. Open to everybody who wants to look.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#f76707',
    isPublic: true,
    contactIds: [3, 7],
    members: { 1: M, 4: M, 5: W, 11: W, 12: V },
    taskCount: 30,
    verbs: ['Draft', 'Edit', 'Illustrate', 'Schedule', 'Proofread', 'Announce'],
    things: [
      'the harbour walk',
      'a portrait of the baker',
      'the winter issue',
      'the interview',
      'ten small museums',
      'the newsletter',
      'the reader survey',
    ],
  },
  {
    title: 'Hiring',
    description: 'Applications, talks and offers. Confidential.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#e64980',
    members: { 1: M, 10: M, 12: W },
    taskCount: 20,
    verbs: ['Read', 'Call', 'Invite', 'Answer', 'Prepare'],
    things: [
      'the designers',
      'the apprentices',
      'the job advert',
      'the second round',
      'the offer letter',
      'the first day',
    ],
  },
  {
    title: 'Customer onboarding',
    description: 'One task a customer and step, until they are on their own.',
    kind: 'kanban',
    currency: 'GBP',
    color: '#1098ad',
    contactIds: [1, 2, 4, 5, 6, 8],
    members: { 1: M, 2: M, 3: W, 6: W, 8: W, 9: V },
    taskCount: 34,
    verbs: ['Welcome', 'Train', 'Import data for', 'Check in with', 'Invoice', 'Visit'],
    things: [
      'Moreau & Fils',
      'Norrsken Bikes',
      'Torrefazione Bianchi',
      'Lagos Light',
      'Kiso Woodworks',
      'Harbour Ferries',
    ],
  },
  {
    title: 'Community wishes',
    description: 'Ideas from the people who use it every day. For members.',
    kind: 'roadmap',
    currency: 'EUR',
    color: '#ae3ec9',
    members: { 1: M, 3: W, 7: W, 9: M, 11: W },
    taskCount: 18,
    verbs: IDEA_VERBS,
    things: [
      'a map of members',
      'shared calendars',
      'photo albums',
      'a weekly digest',
      'events in a feed',
      'mentions',
    ],
  },
  {
    title: 'Office move',
    description: 'Done and dusted; kept to look things up.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#868e96',
    isArchived: true,
    members: { 1: M, 2: W, 5: W },
    taskCount: 12,
    verbs: ['Pack', 'Label', 'Carry', 'Unpack', 'Sell'],
    things: ['the library', 'the kitchen', 'the meeting room', 'the server rack', 'the plants'],
  },
];

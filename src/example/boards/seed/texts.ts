export const SEED_DESCRIPTIONS: readonly string[] = [
  'See the notes of the last meeting for what was decided.',
  'Small, but somebody has to do it before the end of the month.',
  'Ask Mira before you start: half of it may exist already.',
  'Two people, half a day. Write down what you find.',
  'The customer waits for this one.',
  'Blocked until the numbers of last quarter are in.',
  '',
];

export const SEED_COMMENTS: readonly string[] = [
  'I can take this on Thursday.',
  'Looks good to me, one question about the wording.',
  'Could we see a picture of it first?',
  'This is more work than we thought: two days rather than one.',
  'The customer has called again.',
  'Done as discussed. Please have a look.',
  'I would rather leave this for the next round.',
];

export const SEED_REPLIES: readonly string[] = [
  'Thank you!',
  'Agreed.',
  'Why not tomorrow?',
  'I have changed it.',
  'Let us talk.',
];

export const SEED_NOTES: readonly string[] = [
  'First version',
  'Corrections',
  'Talk with the customer',
  'Tests',
  'Clean-up',
];

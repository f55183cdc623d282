import type { AutomaticMerge } from '../ports/merge-request-ports.js';

/** Whether what is wanted now is what was wanted then: it may have been taken back since, and something else asked for. */
export const isSameWish = (then: AutomaticMerge, now: AutomaticMerge | undefined): boolean =>
  now?.userId === then.userId && now.sha === then.sha && now.createdAt.getTime() === then.createdAt.getTime();

export const VISIBILITIES = ['private', 'internal', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

const RANK: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 };

/** A group or project is never more visible than the group that holds it. */
export const isWithin = (visibility: Visibility, limit: Visibility): boolean => RANK[visibility] <= RANK[limit];

/** The narrowest of several, such as those of a group and of all groups that hold it. */
export const narrowest = (visibilities: readonly Visibility[]): Visibility =>
  visibilities.reduce((narrow, each) => (isWithin(each, narrow) ? each : narrow), 'public');

/** Whether somebody without any membership sees it. */
export const isVisibleWithoutMembership = (visibility: Visibility, signedIn: boolean): boolean =>
  visibility === 'public' || (visibility === 'internal' && signedIn);

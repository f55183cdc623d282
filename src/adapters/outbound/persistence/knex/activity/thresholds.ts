/** Where one way of reading a feed gives way to another. Every choice finds the same entries, sooner or later. */
export interface Thresholds {
  /** Up to so many open projects are listed; where there are more, each feed is looked at by itself. */
  readonly fewProjects: number;
  /** So many feeds are read without a look at the next entries of everybody. */
  readonly fewFeeds: number;
  /** How far the entries of everybody are looked at before they are looked for feed by feed. */
  readonly glance: number;
  /** How far the entries of one person are walked at first where what the viewer sees must be looked up for each. */
  readonly firstSteps: number;
  /** How far the entries of one person are walked before they are looked for feed by feed. */
  readonly walk: number;
  /** How many entries in all feeds are put in order at once, */
  readonly mostGathered: number;
  /** and how many of everybody at first: where there are more, they tell how near the next are. */
  readonly sample: number;
  /** So many feeds are counted one by one; of more, what a person did is counted first, and then what of it is seen. */
  readonly mostCounted: number;
  /** For how long it is remembered whether a list ends within the limit of counting. */
  readonly rememberedMs: number;
}

export const THRESHOLDS: Thresholds = {
  fewProjects: 2_000,
  fewFeeds: 24,
  glance: 500,
  firstSteps: 200,
  walk: 2_000,
  mostGathered: 2_000,
  sample: 500,
  mostCounted: 5_000,
  rememberedMs: 60_000,
};

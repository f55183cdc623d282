/** How often something was done within a minute. */
export interface CountedRequests {
  readonly times: number;
  /** When the minute ends that began with the first of them. */
  readonly endsAt: Date;
}

/** Counts what may be done only so often, for all processes of an installation together. */
export interface RequestCounts {
  /** Counts once more what `subject` names, such as an address that signs in. */
  count(subject: string): Promise<CountedRequests>;
}

export const COUNTED_MS = 60_000;

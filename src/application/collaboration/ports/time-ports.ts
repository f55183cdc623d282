export interface TrackedTime {
  readonly estimatedSeconds: number;
  readonly spentSeconds: number;
}

export interface TimeRepository {
  /** Reads and locks the time of a subject until the transaction ends. */
  take(subjectId: number): Promise<TrackedTime>;
  save(subjectId: number, time: TrackedTime): Promise<void>;
}

export interface TimeReader {
  find(subjectId: number): Promise<TrackedTime>;
}

/** What is done after the transaction that asked for it, each kind with what it is about: an id, or an address. */
export interface JobSubjects {
  readonly remove_project: number;
  readonly remove_group: number;
  readonly tell_people: number;
  readonly send_password_link: string;
}
export type JobKind = keyof JobSubjects;

export interface Job {
  readonly id: number;
  readonly kind: JobKind;
  readonly subject: JobSubjects[JobKind];
  /** How often it has failed. */
  readonly attempts: number;
}

export interface JobQueue {
  /** Becomes due when the transaction commits, or shortly after it where its time must tell nothing. */
  enqueue<Kind extends JobKind>(kind: Kind, subject: JobSubjects[Kind], at: Date): Promise<void>;
  /** One due job, held until the transaction ends: no other node gets it meanwhile. */
  takeDue(now: Date): Promise<Job | undefined>;
  finish(id: number): Promise<void>;
  /** Notes a failure and tries again at `runAt`. */
  postpone(id: number, runAt: Date): Promise<void>;
}

import type { DomainEvents, Subscriber } from '../../application/shared/domain-events.js';
import type { Occasion } from '../../application/shared/occasion.js';
import type { CounterDeclarations } from '../../application/shared/ports/counters.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { JobQueue, JobRequests, JobSubject } from '../../application/shared/jobs/job-queue.js';
import type { SecretBox } from '../../application/shared/ports/secrets.js';
import type { StoredSubjectKind } from '../../adapters/outbound/persistence/knex/collaboration/subject-kind.js';
import type { Session } from '../../adapters/outbound/persistence/knex/session.js';

/** What a transaction may leave to be done at once after its commit; each has a loop that does it. */
export type LeftWork =
  | 'jobs'
  | 'webhook deliveries'
  | 'pushes to mirrors'
  | 'updates from elsewhere'
  | 'copies of code'
  | 'imports of code'
  | 'works on code';

/** What the stores of one transaction are made of. */
export interface StoreParts {
  readonly session: Session;
  /** Seals the secrets in the database. */
  readonly secretBox: SecretBox;
  /** Called when the transaction leaves a job. */
  readonly noteJob: (kind: string) => void;
  /** Called when the transaction leaves such work. */
  readonly leave: (work: LeftWork) => void;
  /** Who asked for the transaction; undefined where nobody did. */
  readonly occasion: Occasion | undefined;
  readonly clock: Clock;
  /** How each kind of what people talk about is read. */
  readonly subjectKinds: readonly StoredSubjectKind[];
}

/** A kind of job, in types with what it is about. */
export interface JobKind<Subject extends JobSubject = JobSubject> {
  readonly subject?: Subject;
  /** False where it waits for the next round of the jobs: run at once, it would show in the time that the request takes what there was to do. */
  readonly hurried: boolean;
}

export const job = <Subject extends JobSubject>({ hurried = true } = {}): JobKind<Subject> => ({ hurried });

/**
 * The half of a context that works inside transactions, in whichever thread. It loads nothing that serves requests: threads are started
 * with this half alone.
 */
export interface Storage {
  readonly name: string;
  /** Its repositories, each made when a transaction first asks for it. */
  readonly stores: Readonly<Record<string, (parts: StoreParts) => object>>;
  /** Who acts on events, in the transaction that publishes them. */
  readonly subscribers?: readonly Subscriber<never>[];
  /** The kinds of what people talk about that it keeps. */
  readonly subjectKinds?: readonly StoredSubjectKind[];
  /** The kinds of jobs that it asks for; its other half says what they do. */
  readonly jobs?: Readonly<Record<string, JobKind>>;
  /** What it counts. */
  readonly counters?: CounterDeclarations;
}

/** The kinds of what people talk about, of all storages. */
export const subjectKindsOf = (storages: readonly Storage[]): readonly StoredSubjectKind[] =>
  storages.flatMap(({ subjectKinds = [] }) => subjectKinds);

export const defineStorage = <const S extends Storage>(storage: S): S => storage;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type StoresOf<S extends Storage> = S extends unknown
  ? { readonly [Name in keyof S['stores']]: ReturnType<S['stores'][Name]> }
  : never;

/** What each kind of job of some storages is about. */
export type SubjectsOf<S extends Storage> = Intersection<
  S extends { readonly jobs: infer Kinds }
    ? { readonly [Kind in keyof Kinds]: Kinds[Kind] extends JobKind<infer Subject> ? Subject : never }
    : never
>;

/** The counters of some storages. */
export type CountersOf<S extends Storage> = Intersection<
  S extends { readonly counters: infer Declared extends CounterDeclarations } ? Declared : never
>;

/** All that a transaction may change. Use cases name the few that they need. */
export type RepositoriesOf<S extends Storage> = Omit<Intersection<StoresOf<S>>, 'jobs'> & {
  readonly events: DomainEvents;
  readonly jobs: JobQueue & JobRequests<SubjectsOf<S>>;
};

type SubscriberOf<S extends Storage> = S extends { readonly subscribers: readonly (infer Each)[] } ? Each : never;

/** Doesn't compile where a subscriber needs a repository that no storage brings. */
export const storagesOf = <const Storages extends readonly Storage[]>(
  storages: Storages &
    (SubscriberOf<Storages[number]> extends Subscriber<RepositoriesOf<Storages[number]>>
      ? unknown
      : 'A subscriber needs a repository that no storage brings.'),
): Storages => storages;

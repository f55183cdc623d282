import type { QuickAction } from '../../../domain/collaboration/quick-action.js';
import type { SubjectKind } from '../../../domain/shared/subject.js';
import type { UserActor } from '../../shared/actor.js';
import type { SubjectDetails } from './subject-ports.js';

/** What became of a quick action. */
export interface ActionOutcome {
  readonly done: boolean;
  /** For whoever asked for it. */
  readonly message: string;
  /** What kept it from being done, without its name. */
  readonly hindrance?: string;
  /** What the API says of it, by the names of its attributes. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** Quick actions of one text, with all that they name found. */
export interface ActionPlan<in Repositories> {
  /** Does what the caller may do, within the unit of work of the text; what they may not is told. */
  apply(repositories: Repositories): Promise<readonly ActionOutcome[]>;
  /** Does what takes units of work of its own, once that one is committed. */
  readonly afterwards?: () => Promise<readonly ActionOutcome[]>;
}

/** What each kind of subject contributes: how a text below it changes it. */
export interface SubjectActions<in Repositories> {
  readonly kind: SubjectKind;
  /** What becomes of them is told in their order. */
  plan(actor: UserActor, subject: SubjectDetails, actions: readonly QuickAction[]): Promise<ActionPlan<Repositories>>;
}

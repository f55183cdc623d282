import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';

/** What happened, told inside the transaction in which it did. */
export type DomainEvent =
  | {
      readonly kind: 'issue_closed';
      readonly projectId: ProjectId;
      readonly issueId: number;
      readonly by: UserId;
      readonly at: Date;
    }
  | {
      readonly kind: 'issue_reopened';
      readonly projectId: ProjectId;
      readonly issueId: number;
      readonly by: UserId;
      readonly at: Date;
    };

/** Hands an event to whoever has to act on it in the same work. */
export type Publish<Repositories> = (event: DomainEvent, repositories: Repositories) => Promise<void>;

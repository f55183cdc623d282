import type { Badge, BadgeFields, BadgePlace } from '../../../domain/badges/badge.js';
import type { NamespaceId, ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export interface BadgeRepository {
  /** How many a place has. Whoever else asks waits until the transaction ends. */
  holdCount(place: BadgePlace): Promise<number>;
  add(place: BadgePlace, fields: BadgeFields, at: Date): Promise<Badge>;
  /** Undefined where the place has no such badge. */
  update(place: BadgePlace, id: number, changes: Partial<BadgeFields>): Promise<Badge | undefined>;
  /** False where the place has no such badge. */
  remove(place: BadgePlace, id: number): Promise<boolean>;
}

/** A project with the groups above it, or a group alone. */
export type BadgesOf =
  { readonly projectId: ProjectId; readonly namespaceId: NamespaceId } | { readonly groupId: NamespaceId };

export interface BadgeQuery {
  readonly of: BadgesOf;
  readonly name?: string;
  readonly page: PageRequest;
}

export interface BadgeReader {
  /** In the order in which they were added. */
  list(query: BadgeQuery): Promise<Page<Badge>>;
  find(of: BadgesOf, id: number): Promise<Badge | undefined>;
}

import { ACCESS_LEVEL } from '../shared/access-level.js';
import type { ProjectId, UserId } from '../shared/identifiers.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
import { isVisibleWithoutMembership, type Visibility } from '../shared/visibility.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 65_536;

/** A piece of text that somebody keeps and shows around: a few files under one title. */
export interface Snippet {
  readonly id: number;
  /** Null where it is a person's own. */
  readonly projectId: ProjectId | null;
  /** What people say of it refers to this: of a project’s snippets alone. */
  readonly subjectId: number | null;
  readonly authorId: UserId | null;
  readonly title: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Who looks at a snippet. */
export interface SnippetViewer {
  readonly userId: UserId | null;
  readonly admin: boolean;
  /** Their level in the project of the snippet; none for a person's own. */
  readonly level: number;
}

export const isAuthor = ({ authorId }: Pick<Snippet, 'authorId'>, { userId }: SnippetViewer): boolean =>
  userId !== null && authorId === userId;

/** Of a project that the viewer sees: a private snippet is for its members. */
export const maySee = (snippet: Pick<Snippet, 'authorId' | 'visibility'>, viewer: SnippetViewer): boolean =>
  viewer.admin ||
  viewer.level >= ACCESS_LEVEL.guest ||
  isAuthor(snippet, viewer) ||
  isVisibleWithoutMembership(snippet.visibility, viewer.userId !== null);

export const checkSnippet = (
  problems: ProblemCollector,
  { title, description }: Pick<Snippet, 'title' | 'description'>,
): void => {
  problems
    .check(title.trim() !== '', 'title', "can't be blank")
    .check(title.length <= MAX_TITLE, 'title', `is too long (maximum is ${MAX_TITLE} characters)`)
    .check(
      (description ?? '').length <= MAX_DESCRIPTION,
      'description',
      `is too long (maximum is ${MAX_DESCRIPTION} characters)`,
    );
};
